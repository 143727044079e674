// SPDX-License-Identifier: MIT
// What a tracepoint's samples mean: perf refuses a recording with tracepoints that does not say it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// The section TRACING_DATA of a recording for these tracepoints ("sched:sched_switch"): the kernel's
// descriptions of its trace records, in the format of trace-cmd.dat(5), version 6
// (tools/perf/util/trace-event-info.c writes the same). What cannot be read is left empty.
[[nodiscard]] std::vector<std::byte> tracing_data(Kernel& kernel,
                                                  const std::vector<std::string>& tracepoints);

// Where the kernel shows its tracepoints; empty where it shows none to this user.
[[nodiscard]] std::string tracing_folder(Kernel& kernel);
// The command of root that makes it show them if no tracefs is mounted.
inline constexpr const char* kMountTracing = "mount -t tracefs tracefs /sys/kernel/tracing";

}  // namespace hm::linux_pmu
