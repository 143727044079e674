// SPDX-License-Identifier: MIT
// Determines the threads and CPUs on which an event must be opened to cover its target.
#pragma once

#include <sys/types.h>

#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "pmu/linux/intent.h"
#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// The pid and cpu arguments of perf_event_open(2).
struct PidAndCpu {
  pid_t pid = -1;
  int cpu = -1;
  bool operator==(const PidAndCpu&) const = default;
  bool operator<(const PidAndCpu& other) const { return std::tie(pid, cpu) < std::tie(other.pid, other.cpu); }
};

// Parses CPU lists such as "0-3,7", the format of sysfs and of perf's -C. Fails with kInvalidArgument if the
// list is malformed or a number is kMaxCpus or more.
inline constexpr int kMaxCpus = 8192;
Result<std::vector<int>> parse_cpu_list(std::string_view list);

// Returns the online CPUs.
[[nodiscard]] std::vector<int> online_cpus(Kernel& kernel);

// Returns the current threads of a process; empty if there is no such process.
[[nodiscard]] std::vector<pid_t> threads_of(Kernel& kernel, pid_t pid);

// True if the thread, or any thread of the process, exists and has not ended. Zombies count as ended.
[[nodiscard]] bool is_thread_alive(Kernel& kernel, pid_t tid);
[[nodiscard]] bool is_process_alive(Kernel& kernel, pid_t pid);

// Returns the pairs for which an event is opened. With a ring, these are all pairs of thread and CPU, because
// inherited events can share a ring only on one CPU (mmap of a perf event in kernel/events/core.c). Without a
// ring, each thread has one pair for all CPUs. `threads` is empty if the target is CPUs.
[[nodiscard]] std::vector<PidAndCpu> pids_and_cpus(const Event& event, const std::vector<pid_t>& threads,
                                                   const std::vector<int>& cpus, bool with_ring);

}  // namespace hm::linux_pmu
