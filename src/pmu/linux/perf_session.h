// SPDX-License-Identifier: MIT
// Events that are open on their target, and the rings that they write to.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "pmu/linux/attr.h"
#include "pmu/linux/intent.h"
#include "pmu/linux/kernel.h"
#include "pmu/linux/pid_and_cpu.h"
#include "pmu/linux/ring.h"

namespace hm::linux_pmu {

// A counter's value. If more events were requested than the PMU has counters, it ran only part of the time.
struct Counted {
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;
  uint64_t time_running_ns = 0;
};

struct Counter {
  PidAndCpu place;
  UniqueFd fd;
  uint64_t id = 0;
};

// One event of the intent, as it was opened.
struct OpenEvent {
  Event event;
  perf_event_attr attr{};           // as the kernel accepted it
  std::vector<Fallback> fallbacks;  // properties given up for that
  std::vector<Counter> counters;    // one for each pair of pid and CPU
};

class Session {
 public:
  // Opens all events. `threads`: the threads of the target, unless it is CPUs or a cgroup. `ring_bytes`: data
  // size of a ring, a power of two; used for sampling. Fails with kPermission, kUnsupported or kNotFound and
  // one sentence with the remedy. Skips threads that end meanwhile.
  static Result<Session> open(Kernel& kernel, const Intent& intent, const std::vector<pid_t>& threads,
                              size_t ring_bytes);

  [[nodiscard]] Kernel& kernel() const { return *kernel_; }

  // Needed unless an exec enables the events.
  void enable();
  void disable();

  // For a forked child: closes its descriptors. Does not unmap the rings, because they were not forked and
  // other memory may be mapped at their addresses.
  void abandon();

  [[nodiscard]] const std::vector<OpenEvent>& events() const { return events_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Ring>>& rings() const { return rings_; }
  // Returns the counts of each event by the thread it was opened on (-1: whole CPUs), summed over all CPUs.
  // Counts of children and new threads are included in their ancestor's.
  [[nodiscard]] std::vector<std::map<pid_t, Counted>> read() const;

 private:
  explicit Session(Kernel& kernel) : kernel_(&kernel) {}

  Status open_event(const Event& event, const Intent& intent, const std::vector<PidAndCpu>& places);
  Status open_rings(size_t ring_bytes);
  int open_at(const PidAndCpu& place, const Intent& intent, OpenEvent& open);
  [[nodiscard]] Error explain(const OpenEvent& open, const Intent& intent, const PidAndCpu& place,
                              int error) const;
  void control_all(unsigned long request);

  Kernel* kernel_;
  UniqueFd cgroup_;
  std::vector<OpenEvent> events_;
  std::set<PidAndCpu> opened_at_;
  std::map<std::pair<unsigned, PidAndCpu>, int> leaders_;  // file descriptor by group, pid and CPU
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace hm::linux_pmu
