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
  unsigned precise = 0;  // precise_ip that the kernel accepted
  std::string problem;   // one sentence if it was not opened
};

// Opens the event on this process in user mode only, and closes it again. This is necessary because a PMU's
// list of events does not show which of them work.
[[nodiscard]] Probed probe(Kernel& kernel, const Event& event);

// Like probe(), for samples with a branch stack.
[[nodiscard]] Probed probe_branches(Kernel& kernel, const Event& event);

// Counts two stores to a word of this process with a breakpoint and returns the count; nullopt if no
// breakpoint opens. On some virtual machines breakpoints open but never trigger.
[[nodiscard]] std::optional<uint64_t> stores_noticed_of_two(Kernel& kernel);

}  // namespace hm::linux_pmu
