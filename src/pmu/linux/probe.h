// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pmu/linux/intent.h"
#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

struct Probed {
  bool opened = false;
  unsigned precise = 0;  // the precise_ip that the kernel took
  std::string problem;   // a sentence, where it was not opened
};

// Opens the event on this process, user mode only, and closes it again: what a PMU lists says less than what
// it does.
[[nodiscard]] Probed probe(Kernel& kernel, const Event& event);

// As probe(), and its samples with a branch stack.
[[nodiscard]] Probed probe_branches(Kernel& kernel, const Event& event);

// How many of two stores to a word of this process a breakpoint on it counts; nullopt where none opens. Some
// virtual machines open what notices nothing.
[[nodiscard]] std::optional<uint64_t> stores_noticed_of_two(Kernel& kernel);

}  // namespace hm::linux_pmu
