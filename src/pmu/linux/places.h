// SPDX-License-Identifier: MIT
// Where an event has to be opened so that it sees its target.
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

// "0-3,7": sysfs's way to write CPUs (and perf's, for -C). kInvalidArgument; kMaxCpus bounds it.
inline constexpr int kMaxCpus = 8192;
Result<std::vector<int>> parse_cpu_list(std::string_view list);

// The CPUs that are online.
[[nodiscard]] std::vector<int> online_cpus(Kernel& kernel);

// The threads of a process now; empty where there is no such process.
[[nodiscard]] std::vector<pid_t> threads_of(Kernel& kernel, pid_t pid);

// Whether there is such a thread, or a thread of such a process. One that has ended does not count, even
// where nobody has waited for it yet.
[[nodiscard]] bool is_thread_alive(Kernel& kernel, pid_t tid);
[[nodiscard]] bool is_process_alive(Kernel& kernel, pid_t pid);

// Each thread on each CPU where the event has a ring, because inherited events can share one on one CPU only
// (mmap of a perf event in kernel/events/core.c); else each thread wherever it runs. `threads`: empty where
// the target is CPUs.
[[nodiscard]] std::vector<Place> places_of(const Event& event, const std::vector<pid_t>& threads,
                                           const std::vector<int>& cpus, bool with_ring);

}  // namespace hm::linux_pmu
