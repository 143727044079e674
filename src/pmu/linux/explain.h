// SPDX-License-Identifier: MIT
#pragma once

#include <linux/perf_event.h>

#include <string>

#include "base/result.h"
#include "pmu/linux/kernel.h"
#include "pmu/linux/places.h"

namespace hm::linux_pmu {

// Returns a one-sentence error for the user: what was tried, the kernel's error, and the remedy. Pid 0 is not
// named: it is this process, or a command that is about to run.
[[nodiscard]] Error explain_open(Kernel& kernel, const std::string& event, const perf_event_attr& attr,
                                 const Place& place, int error);
[[nodiscard]] Error explain_ring(Kernel& kernel, size_t bytes, int error);

}  // namespace hm::linux_pmu
