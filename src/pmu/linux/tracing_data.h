// SPDX-License-Identifier: MIT
// Describes the format of tracepoint samples. perf refuses recordings with tracepoints that lack this
// section.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// Returns the TRACING_DATA section of a recording for these tracepoints, for example "sched:sched_switch". It
// contains the kernel's descriptions of its trace records in the format of trace-cmd.dat(5), version 6
// (tools/perf/util/trace-event-info.c writes the same format). Files that cannot be read are left empty.
[[nodiscard]] std::vector<std::byte> tracing_data(Kernel& kernel,
                                                  const std::vector<std::string>& tracepoints);

// Returns the tracefs folder; empty if it shows no tracepoints to this user.
[[nodiscard]] std::string tracing_folder(Kernel& kernel);
// The command with which root makes the tracepoints visible if no tracefs is mounted.
inline constexpr const char* kMountTracing = "mount -t tracefs tracefs /sys/kernel/tracing";

}  // namespace hm::linux_pmu
