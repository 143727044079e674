// SPDX-License-Identifier: MIT
// Estimates when a core's instructions retire, from its misses and mispredictions only: interval analysis
// (Karkhanis and Smith, "A First-Order Superscalar Processor Model", ISCA 2004). Freestanding.
//
// Two times are followed. An instruction enters the window at the pace of work without stalls, but not before
// the instruction `window_slots` ahead of it has retired. It retires in order, when its data has come.
//   - A load that misses begins when it enters the window, or when an earlier miss is complete that its
//     address comes from. It is complete after its latency, and not sooner after another one than the level
//     can deliver.
//   - A code line that misses delays what enters the window. So does a mispredicted branch, once the miss
//     before it is complete.
//   - A store waits in the store buffer, and delays what enters the window if the buffer is full.
#pragma once

#include <stdint.h>

#include "model/cost/costs.h"
#include "model/cost/followed_walks.h"
#include "model/outcome.h"

namespace hm::model {

// A position in the core's instructions.
struct Position {
  uint64_t slot = 0;  // instructions and data accesses before it
  uint64_t work = 0;  // the time that they take without stalls, in parts of a cycle
};

struct CostedMiss {
  uint64_t line = 0;
  uint64_t site = 0;  // the instruction
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  uint8_t l3_quarter = 0;  // LineOutcome
  bool stores = false;
  bool transferred = false;    // another core had modified the line
  uint64_t address_known = 0;  // when the miss is complete that its address comes from; 0: none
};

// All times are in parts of a cycle (Costs::kPerCycle).
struct Stall {
  uint64_t cost = 0;
  uint64_t translation = 0;         // the part of the cost for the translation of the address
  uint64_t hidden_by_prefetch = 0;  // of the latency
  uint64_t hidden_by_overlap = 0;
  uint64_t complete = 0;  // when the data came, since the core began; 0 if the core does not wait for it
};

class Stalls {
 public:
  Stalls() = default;
  explicit Stalls(const Costs& costs) : costs_(costs) {}

  // When the instruction retires that enters the window at this position, if it does not miss.
  [[nodiscard]] uint64_t retired_at(Position at) const {
    uint64_t lag = lag_;
    for (uint32_t i = oldest_; i != next_ && leaves_window(recent_[i % kRecent], at); ++i)
      lag = larger(lag, lag_behind(recent_[i % kRecent], at));
    return larger(retired_, at.work + lag);
  }

  // Returns when the instruction at this position enters the window. Positions never decrease.
  uint64_t entered_at(Position at) {
    while (oldest_ != next_ && leaves_window(recent_[oldest_ % kRecent], at))
      lag_ = larger(lag_, lag_behind(recent_[oldest_++ % kRecent], at));
    uint64_t entered = at.work + lag_;
    retired_ = larger(retired_, entered);
    return entered;
  }

  // A load or a store that missed.
  Stall of(const CostedMiss& miss, Position at) {
    uint64_t entered = entered_at(at);
    uint64_t step = miss.level == Level::kL1 ? 0 : walks_.step_to(miss.line, miss.site, costs_);
    uint64_t full = latency_of(miss) + translation(miss.translation);
    if (miss.stores) return hidden_by_overlap(full, store(at, miss));
    bool waits = miss.address_known > entered;
    Service service = service_of(miss, full, step, waits);
    uint64_t turn = take_turn(served_[static_cast<uint32_t>(miss.level)], entered, service.distance);
    uint64_t complete = larger(turn, larger(entered, miss.address_known) + service.latency);
    Stall stall = hidden_by_overlap(service.latency, retire(at, complete));
    stall.hidden_by_prefetch = full - service.latency;
    if (miss.translation != Translation::kFirstTlb && service.latency == full && full != 0)
      stall.translation = stall.cost * translation(miss.translation) / full;
    stall.complete = complete;
    return stall;
  }

  // A code line that missed. The fetch of the next lines runs ahead, so a walk through code hides them.
  uint64_t of_fetch(uint64_t line, Position at, Level level, Translation how) {
    const Costs::OfLevel& costs = costs_.levels[static_cast<uint32_t>(level)];
    bool is_next = code_walks_.step_to(line, 0, costs_) == 1;
    uint64_t fetched = entered_at(at) + (is_next ? costs.delivered : costs.latency) + translation(how);
    return delay(at, fetched);
  }

  // A mispredicted branch. It is resolved when it enters the window, or when the misses of the loads just
  // before it are complete: mostly, it depends on them.
  uint64_t of_misprediction(Position at) {
    uint64_t resolved = entered_at(at);
    for (uint32_t back = 1; back <= kBefore && back <= next_; ++back) {
      const Recent& load = recent_[(next_ - back) % kRecent];
      if (load.at.slot + kNear >= at.slot) resolved = larger(resolved, load.complete);
    }
    return delay(at, resolved + costs_.mispredict);
  }

 private:
  static constexpr uint32_t kRecent = 64;    // loads that may wait at a time
  static constexpr uint32_t kBuffered = 64;  // stores
  static constexpr uint32_t kBefore = 4;     // loads that a branch may depend on
  static constexpr uint64_t kNear = 24;      // slots from this load to the branch

  // An access that the core may have waited for.
  struct Recent {
    Position at;
    uint64_t complete = 0;
    uint64_t retired = 0;
  };

  static uint64_t larger(uint64_t one, uint64_t other) { return one < other ? other : one; }
  static uint64_t smaller(uint64_t one, uint64_t other) { return one < other ? one : other; }
  static uint64_t difference(uint64_t one, uint64_t other) { return one > other ? one - other : 0; }

  [[nodiscard]] uint64_t translation(Translation how) const {
    return how == Translation::kFirstTlb    ? 0
           : how == Translation::kSecondTlb ? costs_.second_tlb
                                            : costs_.page_walk;
  }

  [[nodiscard]] const Costs::OfLevel& level_of(const CostedMiss& miss) const {
    return miss.level == Level::kL3 ? costs_.l3_quarters[miss.l3_quarter % 4]
                                    : costs_.levels[static_cast<uint32_t>(miss.level)];
  }
  [[nodiscard]] uint64_t latency_of(const CostedMiss& miss) const {
    uint64_t latency = level_of(miss).latency;
    return miss.transferred ? larger(latency, costs_.transferred) : latency;
  }

  struct Service {
    uint64_t latency;   // from the known address to the data
    uint64_t distance;  // from one line to the next that the level delivers
  };

  // Loads that do not wait for one another get the lines of a walk as fast as those of other addresses, but
  // for successive lines. `step`: FollowedWalks; `waits`: the load's address comes from a miss.
  [[nodiscard]] Service service_of(const CostedMiss& miss, uint64_t full, uint64_t step, bool waits) const {
    const Costs::OfLevel& level = level_of(miss);
    uint64_t followed = step == 0 ? 0 : costs_.of_step(step);
    if (followed == 0 || followed >= full) return {full, level.overlapped};
    if (step == 1) return {followed, level.delivered};
    return {followed, waits ? smaller(followed, level.overlapped) : level.overlapped};
  }

  static Stall hidden_by_overlap(uint64_t full, uint64_t cost) {
    return {cost, 0, 0, difference(full, cost), 0};
  }

  [[nodiscard]] bool leaves_window(const Recent& each, Position at) const {
    return each.at.slot + costs_.window_slots <= at.slot;
  }

  // How late the window is if it waited for this access to retire. The work since is assumed to be even.
  [[nodiscard]] uint64_t lag_behind(const Recent& each, Position at) const {
    uint64_t slots = at.slot - each.at.slot, work = difference(at.work, each.at.work);
    uint64_t work_then = each.at.work + work * costs_.window_slots / slots;
    return difference(each.retired, work_then);
  }

  // What follows enters the window at this time at the earliest. Returns how much later it retires.
  uint64_t delay(Position at, uint64_t time) {
    lag_ = larger(lag_, time - at.work);
    uint64_t cost = difference(time, retired_);
    retired_ += cost;
    return cost;
  }

  // The load retires at this time, or with the instruction before it. Returns for how long that one waits.
  uint64_t retire(Position at, uint64_t complete) {
    uint64_t cost = difference(complete, retired_);
    retired_ += cost;
    if (next_ - oldest_ == kRecent) {  // the window is full of loads
      const Recent& first = recent_[oldest_++ % kRecent];
      lag_ = larger(lag_, difference(first.retired, at.work));
    }
    recent_[next_++ % kRecent] = {at, complete, retired_};
    return cost;
  }

  // A level delivers one line after the other. `busy_until` is when it is free, and becomes when it has
  // delivered a line that is requested at `time`.
  static uint64_t take_turn(uint64_t& busy_until, uint64_t time, uint64_t distance) {
    busy_until = larger(busy_until, time) + distance;
    return busy_until;
  }

  // The store waits in the buffer. Returns how long the core waits for the oldest one, if the buffer is full.
  uint64_t store(Position at, const CostedMiss& miss) {
    uint64_t distance = miss.transferred ? latency_of(miss) : level_of(miss).store;
    uint64_t& oldest = buffered_[next_store_++ % kBuffered];
    uint64_t cost = oldest > retired_ ? delay(at, oldest) : 0;
    oldest = take_turn(stored_, retired_, distance);
    return cost;
  }

  Costs costs_;
  uint64_t lag_ = 0;      // how much later an instruction enters the window than without stalls
  uint64_t retired_ = 0;  // when the last instruction retired
  uint64_t served_[4] = {}, stored_ = 0;  // until when levels and stores are busy
  uint64_t buffered_[kBuffered] = {};     // when each store of the buffer is done
  Recent recent_[kRecent] = {};           // a ring; from `oldest_` on, those in the window
  uint32_t oldest_ = 0, next_ = 0;
  uint32_t next_store_ = 0;
  FollowedWalks walks_;
  FollowedWalks code_walks_;
};

}  // namespace hm::model
