// SPDX-License-Identifier: MIT
// Events that are open on their target, and the rings they write into.
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

// A counter's value. It ran only part of the time where more events were wanted than the PMU has
// counters.
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

// What came of one event of the intent.
struct OpenEvent {
  Event event;
  perf_event_attr attr{};           // as the kernel took it
  std::vector<Fallback> fallbacks;  // what had to be given up for that
  std::vector<Counter> counters;    // one for each place
};

class Session {
 public:
  // `threads`: of the target, where it is no CPU or cgroup. `ring_bytes`: of data, a power of two; for
  // sampling. kPermission, kUnsupported, kNotFound: one sentence with the remedy. Threads that end meanwhile
  // are passed over.
  static Result<Session> open(Kernel& kernel, const Intent& intent, const std::vector<pid_t>& threads,
                              size_t ring_bytes);

  [[nodiscard]] Kernel& kernel() const { return *kernel_; }

  // Where no exec does it.
  void enable();
  void disable();

  // In a forked child: closes its descriptors. The rings were not forked, and other memory may lie there by
  // now.
  void abandon();

  [[nodiscard]] const std::vector<OpenEvent>& events() const { return events_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Ring>>& rings() const { return rings_; }
  // Of each event, by the thread it was opened on (-1: whole CPUs), over all CPUs; what children and new
  // threads added is their ancestor's.
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
