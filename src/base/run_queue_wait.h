// SPDX-License-Identifier: MIT
// How long a process's threads have waited for a CPU.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace hm {

// Sums, over the process's first 32 threads, the time that each was ready to run but did not run, in
// nanoseconds: the second number of schedstat (Documentation/scheduler/sched-stats.rst). Returns 0 if the
// process does not exist or the kernel does not count this time. `folder` is /proc.
[[nodiscard]] uint64_t run_queue_wait_ns(pid_t process, const std::string& folder);
[[nodiscard]] uint64_t run_queue_wait_ns(pid_t process);

}  // namespace hm
