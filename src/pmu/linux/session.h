// SPDX-License-Identifier: MIT
// Events that are open on their target, and the rings that they write into.
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
#include "pmu/linux/places.h"
#include "pmu/linux/ring.h"

namespace hm::linux_pmu {

// A counter's value. If more events were requested than the PMU has counters, it ran only part of the time.
struct Counted {
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;
  uint64_t time_running_ns = 0;
};

struct Counter {
  Place place;
  UniqueFd fd;
  uint64_t id = 0;
};

// One event of the intent, opened.
struct OpenEvent {
  Event event;
  perf_event_attr attr{};           // as the kernel accepted it
  std::vector<Fallback> fallbacks;  // features that were given up for that
  std::vector<Counter> counters;    // one for each location
};

class Session {
 public:
  // `threads`: the target's threads, empty if the target is a CPU or cgroup. `ring_bytes`: data size for
  // sampling, a power of two. Fails with kPermission, kUnsupported or kNotFound, with a sentence that gives
  // the remedy. Skips threads that end meanwhile.
  static Result<Session> open(Kernel& kernel, const Intent& intent, const std::vector<pid_t>& threads,
                              size_t ring_bytes);

  [[nodiscard]] Kernel& kernel() const { return *kernel_; }

  // Needed only if no exec enables the events.
  void enable();
  void disable();

  // Called in a forked child: closes its descriptors. It does not unmap the rings, because they were not
  // forked and their addresses may now hold other memory.
  void abandon();

  [[nodiscard]] const std::vector<OpenEvent>& events() const { return events_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Ring>>& rings() const { return rings_; }
  // Returns, for each event, the counts over all CPUs by the thread that the event was opened on (-1: whole
  // CPUs). Counts of children and new threads are added to their ancestor's.
  [[nodiscard]] std::vector<std::map<pid_t, Counted>> read() const;

 private:
  explicit Session(Kernel& kernel) : kernel_(&kernel) {}

  Status open_event(const Event& event, const Intent& intent, const std::vector<Place>& places);
  Status open_rings(size_t ring_bytes);
  int open_at(const Place& place, const Intent& intent, OpenEvent& open);
  [[nodiscard]] Error explain(const OpenEvent& open, const Intent& intent, const Place& place,
                              int error) const;
  void control_all(unsigned long request);

  Kernel* kernel_;
  UniqueFd cgroup_;
  std::vector<OpenEvent> events_;
  std::set<Place> opened_at_;
  std::map<std::pair<unsigned, Place>, int> leaders_;  // by group
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace hm::linux_pmu
