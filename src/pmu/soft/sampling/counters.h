// SPDX-License-Identifier: MIT
// Counters and sampling periods of every event, the same for all engines. Freestanding.
//
// A counter counts down to its next sample, as a PMU's counts up to its overflow: `remaining` is also what an
// engine decrements inline for events too frequent for a call.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "event/event_id.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

using event::EventId;
using event::index_of;
using event::kEventCount;

class Counters {
 public:
  // More events than are ever counted: a counter that takes no samples counts down from here.
  static constexpr int64_t kNever = int64_t{1} << 62;

  struct Counter {
    int64_t current_period = kNever;  // from what `remaining_` counts down
    uint64_t consumed = 0;            // events in the periods before
    uint64_t period = 0;              // the nominal one, at most kNever; 0: no samples
    uint64_t before = 0;  // events that the sample under way stands for besides: start_first_period()
    uint64_t random = 0;
    uint64_t id = 0;
    unsigned doublings = 0;  // of the nominal period
    bool counted = false;
  };

  constexpr Counters() {
    for (int64_t& remaining : remaining_) remaining = kNever;
  }

  // From zero; periods vary in the same sequence each time. `exact`: they are not those of bursts. Where
  // periods grow (thinning.h) the session outlives this, and threads have sequences of their own.
  void configure(Session& session, bool exact = false) {
    jitter_ = session.jitter != 0;
    exact_ = exact;
    thinning_ = session.thinning.on != 0 ? &session.thinning : nullptr;
    thread_ = thinning_ != nullptr ? __atomic_fetch_add(&thinning_->threads, 1, __ATOMIC_RELAXED) : 0;
    for (unsigned i = 0; i < kEventCount; ++i) {
      const EventConfig& config = session.events[i];
      Counter& counter = counters_[i];
      counter = Counter{};
      remaining_[i] = kNever;
      counter.counted = config.counted != 0;
      counter.id = config.id;
      if (config.sampled != 0) counter.period = nominal_period(session, i);
      counter.random = 0x9e3779b97f4a7c15u * (i + 1) ^ 0xbf58476d1ce4e5b9u * thread_;
      if (counter.period != 0) start_first_period(i);
    }
  }

  // Goes on with the periods of bursts, or with those that are not; those under way are given up.
  void change_periods(const Session& session, bool exact) {
    if (exact_ == exact) return;
    exact_ = exact;
    for (unsigned i = 0; i < kEventCount; ++i) {
      Counter& counter = counters_[i];
      if (counter.period == 0) continue;
      give_up_period(i);
      counter.period = nominal_period(session, i);
      start_first_period(i);
    }
  }

  void stop_sampling() {
    for (unsigned i = 0; i < kEventCount; ++i) {
      give_up_period(i);
      counters_[i].period = counters_[i].before = 0;
      remaining_[i] = counters_[i].current_period = kNever;
    }
  }

  // Adds `events`; true if a sample is due: finish_period() then returns how many events it stands for.
  bool add(EventId id, uint64_t events) {
    int64_t& remaining = remaining_[index_of(id)];
    remaining -= static_cast<int64_t>(events);
    return remaining <= 0;
  }
  // Likewise for 0 or 1 events: negative if a sample is due. For many counters at once: no branch depends on
  // which of them count.
  [[gnu::always_inline]] int64_t step(EventId id, bool happened) {
    return (remaining_[index_of(id)] -= happened ? 1 : 0) - 1;
  }

  // Ends the period of a counter whose sample is due and starts the next: how many events the sample stands
  // for. Events beyond the period's end count in the next; one step over several periods' ends is one sample
  // for all.
  uint64_t finish_period(EventId id) {
    Counter& counter = counters_[index_of(id)];
    uint64_t passed = 0;
    int64_t& remaining = remaining_[index_of(id)];
    if (thinning_ != nullptr) counter.doublings = doublings_after(count_sample(*thinning_, index_of(id)) + 1);
    while (remaining <= 0) {
      int64_t beyond = remaining;
      passed += static_cast<uint64_t>(counter.current_period);
      start_period(index_of(id));
      remaining += beyond;
    }
    counter.consumed += passed;
    uint64_t before = counter.before;
    counter.before = 0;
    return passed + before;
  }

  [[nodiscard]] uint64_t total(EventId id) const {
    const Counter& counter = counters_[index_of(id)];
    return counter.consumed + static_cast<uint64_t>(counter.current_period - remaining_[index_of(id)]);
  }

  [[nodiscard]] bool counted(EventId id) const { return counters_[index_of(id)].counted; }
  [[nodiscard]] bool sampled(EventId id) const { return counters_[index_of(id)].period != 0; }
  [[nodiscard]] uint64_t id(EventId id) const { return counters_[index_of(id)].id; }
  // Where in this object an event's `remaining` is.
  static constexpr size_t remaining_offset(EventId id) {
    return offsetof(Counters, remaining_) + index_of(id) * sizeof(int64_t);
  }
  [[nodiscard]] int64_t* remaining(EventId id) { return &remaining_[index_of(id)]; }

 private:
  [[nodiscard]] uint64_t nominal_period(const Session& session, unsigned index) const {
    const EventConfig& config = session.events[index];
    uint64_t period = exact_ ? config.period : period_in_bursts(config, session.bursts);
    return period < kNever ? period : kNever;
  }

  void give_up_period(unsigned index) {
    counters_[index].consumed += static_cast<uint64_t>(counters_[index].current_period - remaining_[index]);
  }

  // Where periods grow, a thread may be too short for one. So all threads but the first begin in the midst of
  // a period, at an evenly chosen place, as if they had counted its first part, too: any event is then as
  // likely to be sampled as others, and stands for as many.
  void start_first_period(unsigned index) {
    Counter& counter = counters_[index];
    counter.before = 0;
    if (thinning_ != nullptr)
      counter.doublings = doublings_after(__atomic_load_n(&thinning_->samples[index], __ATOMIC_RELAXED));
    start_period(index);
    if (thread_ == 0) return;
    counter.before = next_random(counter) % static_cast<uint64_t>(counter.current_period);
    counter.current_period -= static_cast<int64_t>(counter.before);
    remaining_[index] = counter.current_period;
  }

  static uint64_t next_random(Counter& counter) {
    counter.random ^= counter.random << 13;
    counter.random ^= counter.random >> 7;
    counter.random ^= counter.random << 17;
    return counter.random;
  }

  // The nominal period, doubled as often as the event has samples for. At most kNever.
  static uint64_t longer_period(const Counter& counter) {
    bool fits = counter.period <= static_cast<uint64_t>(kNever) >> counter.doublings;
    return fits ? counter.period << counter.doublings : static_cast<uint64_t>(kNever);
  }

  // Within 1/16 of the nominal period, evenly: enough to step off a loop's own period, and the mean stays.
  void start_period(unsigned index) {
    Counter& counter = counters_[index];
    uint64_t period = longer_period(counter);
    uint64_t spread = jitter_ ? period / 16 : 0;
    if (spread != 0) period += next_random(counter) % (2 * spread + 1) - spread;
    remaining_[index] = counter.current_period = static_cast<int64_t>(period);
  }

  // Beside one another, as most accesses that reach the models count several events.
  alignas(64) int64_t remaining_[kEventCount];
  Counter counters_[kEventCount];
  Thinning* thinning_ = nullptr;  // null: periods do not grow
  uint64_t thread_ = 0;           // how many threads of the session began before
  bool jitter_ = false;
  bool exact_ = false;
};

}  // namespace hm::soft
