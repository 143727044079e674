// SPDX-License-Identifier: MIT
#pragma once

#include <linux/perf_event.h>

#include <string>

#include "base/result.h"
#include "pmu/linux/kernel.h"
#include "pmu/linux/pid_and_cpu.h"

namespace hm::linux_pmu {

// Returns one sentence for the user: which measurement failed, why, and what to do. If the pid is 0, the
// sentence names no process, because the user's own words already do. It is this process or a command that is
// about to run.
[[nodiscard]] Error explain_open(Kernel& kernel, const std::string& event, const perf_event_attr& attr,
                                 const PidAndCpu& place, int error);
[[nodiscard]] Error explain_ring(Kernel& kernel, size_t bytes, int error);

}  // namespace hm::linux_pmu
