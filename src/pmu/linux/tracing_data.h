// SPDX-License-Identifier: MIT
// Descriptions of tracepoints' samples. perf refuses a recording with tracepoints that lacks them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// Returns the section TRACING_DATA of a recording for these tracepoints ("sched:sched_switch"): the kernel's
// descriptions of its trace records, in the format of trace-cmd.dat(5), version 6.
// tools/perf/util/trace-event-info.c writes this format, too. Unreadable parts are left empty.
[[nodiscard]] std::vector<std::byte> tracing_data(Kernel& kernel,
                                                  const std::vector<std::string>& tracepoints);

// Returns the folder in which the kernel shows its tracepoints; empty if this user cannot see it.
[[nodiscard]] std::string tracing_folder(Kernel& kernel);
// The command with which root makes the tracepoints visible if no tracefs is mounted.
inline constexpr const char* kMountTracing = "mount -t tracefs tracefs /sys/kernel/tracing";

}  // namespace hm::linux_pmu
