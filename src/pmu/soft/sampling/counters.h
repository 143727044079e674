// SPDX-License-Identifier: MIT
// Counters and sampling periods of every event, shared by all engines. Freestanding.
//
// A counter counts down to its next sample, as a PMU's counts up to its overflow. Engines decrement
// `remaining` inline for events that are too frequent for a call.
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
  // More events than are ever counted: the initial value of a counter without samples.
  static constexpr int64_t kNever = int64_t{1} << 62;

  struct Counter {
    int64_t current_period = kNever;  // initial value of `remaining_` in this period
    uint64_t consumed = 0;            // events in earlier periods
    uint64_t period = 0;              // nominal period, at most kNever; 0: no samples
    uint64_t before = 0;              // extra events that the next sample represents: start_first_period()
    uint64_t random = 0;
    uint64_t id = 0;
    unsigned doublings = 0;  // how often the nominal period has been doubled
    bool counted = false;
  };

  constexpr Counters() {
    for (int64_t& remaining : remaining_) remaining = kNever;
  }

  // Starts all counters at zero. The sequence of varied periods is reproducible, and each thread has its own.
  // `exact`: uses the periods outside bursts. If periods grow (thinning.h), the session has to outlive this
  // object.
  void configure(Session& session, bool exact = false) {
    jitter_ = session.jitter != 0;
    exact_ = exact;
    thinning_ = session.thinning.on != 0 ? &session.thinning : nullptr;
    thread_ = __atomic_fetch_add(&session.thinning.threads, 1, __ATOMIC_RELAXED);
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
      samples_waits_ = samples_waits_ || (counter.period != 0 && i >= index_of(EventId::kMemoryWait));
    }
  }

  // Switches between the periods of bursts and the exact ones. Abandons the periods in progress.
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

  // Adds `events`. Returns true if a sample is due: finish_period() then returns how many events it
  // represents.
  bool add(EventId id, uint64_t events) {
    int64_t& remaining = remaining_[index_of(id)];
    remaining -= static_cast<int64_t>(events);
    return remaining <= 0;
  }
  // Adds 0 or 1 events. Returns a negative value if a sample is due. For many counters at once, without a
  // branch that depends on which of them count.
  [[gnu::always_inline]] int64_t step(EventId id, bool happened) {
    return (remaining_[index_of(id)] -= happened ? 1 : 0) - 1;
  }

  // Ends the period of a counter with a due sample and starts the next. Returns how many events the sample
  // represents. Events beyond the period's end count in the next period; one step over several periods' ends
  // is one sample.
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

  // Whether one of the events that count cycles of waits is sampled.
  [[nodiscard]] bool samples_waits() const { return samples_waits_; }

  [[nodiscard]] bool counted(EventId id) const { return counters_[index_of(id)].counted; }
  [[nodiscard]] bool sampled(EventId id) const { return counters_[index_of(id)].period != 0; }
  [[nodiscard]] uint64_t id(EventId id) const { return counters_[index_of(id)].id; }
  // Returns the offset of an event's `remaining` in this object.
  static constexpr size_t remaining_offset(EventId id) {
    return offsetof(Counters, remaining_) + index_of(id) * sizeof(int64_t);
  }
  [[nodiscard]] int64_t* remaining(EventId id) { return &remaining_[index_of(id)]; }
  [[nodiscard]] int64_t remaining_of(EventId id) const { return remaining_[index_of(id)]; }

 private:
  [[nodiscard]] uint64_t nominal_period(const Session& session, unsigned index) const {
    const EventConfig& config = session.events[index];
    uint64_t period = exact_ ? config.period : period_in_bursts(config, session.bursts);
    return period < kNever ? period : kNever;
  }

  void give_up_period(unsigned index) {
    counters_[index].consumed += static_cast<uint64_t>(counters_[index].current_period - remaining_[index]);
  }

  // A thread may end within its first period. So all threads but the first begin inside a period, at a
  // uniformly random position, as if they had counted its first part. Every event is then equally likely to
  // be sampled, and represents an equal number of events. Not if periods are to be exact.
  void start_first_period(unsigned index) {
    Counter& counter = counters_[index];
    counter.before = 0;
    if (thinning_ != nullptr)
      counter.doublings = doublings_after(__atomic_load_n(&thinning_->samples[index], __ATOMIC_RELAXED));
    start_period(index);
    if (thread_ == 0 || (!jitter_ && thinning_ == nullptr)) return;
    while (!is_met(counter)) start_period(index);
    counter.before = next_random(counter) % static_cast<uint64_t>(counter.current_period);
    counter.current_period -= static_cast<int64_t>(counter.before);
    remaining_[index] = counter.current_period;
  }

  // Returns true with a probability in proportion to the period: a random position is more often in a long
  // one.
  bool is_met(Counter& counter) const {
    uint64_t nominal = longer_period(counter), longest = nominal + (jitter_ ? nominal / 2 : 0);
    return next_random(counter) % longest < static_cast<uint64_t>(counter.current_period);
  }

  static uint64_t next_random(Counter& counter) {
    counter.random ^= counter.random << 13;
    counter.random ^= counter.random >> 7;
    counter.random ^= counter.random << 17;
    return counter.random;
  }

  // Returns the nominal period, doubled as the event's number of samples requires. At most kNever.
  static uint64_t longer_period(const Counter& counter) {
    bool fits = counter.period <= static_cast<uint64_t>(kNever) >> counter.doublings;
    return fits ? counter.period << counter.doublings : static_cast<uint64_t>(kNever);
  }

  // Varies the period uniformly by up to its half; the mean is unchanged. With less, the samples of a loop
  // that takes about a period, or a multiple or a simple fraction of it, would stay at nearly the same point
  // of the loop from one to the next. Here that correlation is sin(x) / x for x = pi * period / loop: 0 for a
  // loop as long as the period, and small for shorter ones.
  void start_period(unsigned index) {
    Counter& counter = counters_[index];
    uint64_t period = longer_period(counter);
    uint64_t spread = jitter_ ? period / 2 : 0;
    if (spread != 0) period += next_random(counter) % (2 * spread + 1) - spread;
    remaining_[index] = counter.current_period = static_cast<int64_t>(period);
  }

  // Adjacent, because most accesses that reach the models count several events.
  alignas(64) int64_t remaining_[kEventCount];
  Counter counters_[kEventCount];
  Thinning* thinning_ = nullptr;  // null: periods do not grow
  uint64_t thread_ = 0;           // number of threads of the session that began earlier
  bool samples_waits_ = false;
  bool jitter_ = false;
  bool exact_ = false;
};

}  // namespace hm::soft
