// SPDX-License-Identifier: MIT
// The locations (pid and cpu) at which an event has to be opened to observe its target.
#pragma once

#include <sys/types.h>

#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "pmu/linux/intent.h"
#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// The pid and cpu of perf_event_open(2).
struct Place {
  pid_t pid = -1;
  int cpu = -1;
  bool operator==(const Place&) const = default;
  bool operator<(const Place& other) const { return std::tie(pid, cpu) < std::tie(other.pid, other.cpu); }
};

// Parses "0-3,7", sysfs's notation for CPUs (and perf's, for -C). Fails with kInvalidArgument. kMaxCpus is
// the limit.
inline constexpr int kMaxCpus = 8192;
Result<std::vector<int>> parse_cpu_list(std::string_view list);

// The CPUs that are online.
[[nodiscard]] std::vector<int> online_cpus(Kernel& kernel);

// Returns the current threads of a process; empty if the process does not exist.
[[nodiscard]] std::vector<pid_t> threads_of(Kernel& kernel, pid_t pid);

// Whether the thread, or a thread of the process, is alive. A zombie is not alive.
[[nodiscard]] bool is_thread_alive(Kernel& kernel, pid_t tid);
[[nodiscard]] bool is_process_alive(Kernel& kernel, pid_t pid);

// If the event has a ring, returns each thread on each CPU, because inherited events can share a ring on one
// CPU only (mmap of a perf event in kernel/events/core.c). Otherwise returns each thread on any CPU.
// `threads`: empty if the target is CPUs.
[[nodiscard]] std::vector<Place> places_of(const Event& event, const std::vector<pid_t>& threads,
                                           const std::vector<int>& cpus, bool with_ring);

}  // namespace hm::linux_pmu
