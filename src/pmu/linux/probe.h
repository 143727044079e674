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
  unsigned precise = 0;  // the precise_ip that the kernel accepted
  std::string problem;   // a sentence, if it was not opened
};

// Opens the event on this process, user mode only, and closes it again. The event list of a PMU does not show
// reliably which events open.
[[nodiscard]] Probed probe(Kernel& kernel, const Event& event);

// Like probe(), with a branch stack in the samples.
[[nodiscard]] Probed probe_branches(Kernel& kernel, const Event& event);

// Returns how many of two stores to a word of this process a breakpoint counts; nullopt if none opens. Some
// virtual machines open breakpoints that detect no access.
[[nodiscard]] std::optional<uint64_t> stores_noticed_of_two(Kernel& kernel);

}  // namespace hm::linux_pmu
