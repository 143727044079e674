// SPDX-License-Identifier: MIT
// Estimates how long a core waits for its misses, from what is known of the misses before. Freestanding.
//
// The core retires its instructions in order, and looks `window_slots` ahead of the oldest one. A miss begins
// when its instruction enters the window and, if its address comes from an earlier miss, when that one is
// complete. It is complete after its latency, and not sooner after another one than the level can deliver.
// Then the core waits for as long as its oldest instruction is not complete: interval analysis (Karkhanis and
// Smith, "A First-Order Superscalar Processor Model", ISCA 2004), at the granularity of misses.
#pragma once

#include <stdint.h>

#include "model/cost/costs.h"
#include "model/cost/followed_walks.h"
#include "model/outcome.h"

namespace hm::model {

struct CostedMiss {
  uint64_t line = 0;
  uint64_t site = 0;  // the instruction
  uint64_t slot = 0;  // instructions and data accesses of the core before it
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  bool stores = false;
  bool waits = false;      // its address comes from an earlier miss
  uint64_t waits_for = 0;  // slot of that miss
};

// The stall of one miss, in parts of a cycle (Costs::kPerCycle).
struct Stall {
  uint64_t cost = 0;
  uint64_t hidden_by_prefetch = 0;  // of the latency
  uint64_t hidden_by_overlap = 0;
};

class Stalls {
 public:
  Stalls() = default;
  explicit Stalls(const Costs& costs) : costs_(costs) {}

  Stall of(const CostedMiss& miss) {
    const Costs::OfLevel& level = costs_.levels[static_cast<uint32_t>(miss.level)];
    uint64_t full = level.latency + translation(miss.translation);
    advance(miss.slot);
    bool followed = miss.level != Level::kL1 && walks_.follows(miss.line, miss.site, costs_);
    if (miss.stores) return hidden_by_overlap(full, store(miss.slot, level.store));
    uint64_t entered = entered_window(miss.slot);
    uint64_t complete =
        followed ? take_turn(prefetched_, entered, level.prefetched)
                 : take_turn(served_[static_cast<uint32_t>(miss.level)], entered, level.overlapped);
    uint64_t whole = begin_of(miss, entered) + full;
    if (!followed && complete < whole) complete = whole;
    uint64_t cost = wait_until(complete, miss.slot, complete);
    return followed ? Stall{cost, full > cost ? full - cost : 0, 0} : hidden_by_overlap(full, cost);
  }

  // A code line that missed. The fetch of the next lines runs ahead, so a walk through code hides them;
  // others stop the core, as nothing is left to execute, and what follows enters the window later.
  uint64_t of_fetch(uint64_t line, uint64_t slot, Level level, Translation how) {
    const Costs::OfLevel& costs = costs_.levels[static_cast<uint32_t>(level)];
    bool followed = code_walks_.follows(line, 0, costs_);
    advance(slot);
    uint64_t cost = (followed ? costs.prefetched : costs.latency) + translation(how);
    wait_until(retired_ + cost, slot, 0);
    fetched_ = retired_;
    return cost;
  }

 private:
  static constexpr uint32_t kRecent = 32;
  static constexpr uint32_t kBuffered = 48;  // stores

  // A miss that the core has waited for, or not. All times are in parts of a cycle since the core began.
  struct Recent {
    uint64_t slot = 0;
    uint64_t complete = 0;  // when the data came; 0 if it is no load
    uint64_t reached = 0;   // when the instruction became the oldest
    uint64_t retired = 0;
  };

  [[nodiscard]] uint64_t translation(Translation how) const {
    return how == Translation::kFirstTlb    ? 0
           : how == Translation::kSecondTlb ? costs_.second_tlb
                                            : costs_.page_walk;
  }

  static Stall hidden_by_overlap(uint64_t full, uint64_t cost) {
    return {cost, 0, full > cost ? full - cost : 0};
  }

  // The core has executed the instructions up to the slot.
  void advance(uint64_t slot) {
    if (slot > last_slot_) retired_ += (slot - last_slot_) * costs_.slot;
    last_slot_ = slot;
  }

  // The instruction at the slot, the oldest one, waits until this time. Returns for how long.
  uint64_t wait_until(uint64_t time, uint64_t slot, uint64_t complete) {
    uint64_t reached = retired_, cost = time > reached ? time - reached : 0;
    retired_ += cost;
    recent_[next_++ % kRecent] = {slot, complete, reached, retired_};
    return cost;
  }

  // When the instruction enters the window: when the one `window_slots` before retires, and its code has been
  // fetched.
  [[nodiscard]] uint64_t entered_window(uint64_t slot) const {
    uint64_t entered = retired_at(slot > costs_.window_slots ? slot - costs_.window_slots : 0);
    return entered < fetched_ ? fetched_ : entered;
  }

  // When the address of the access is known.
  [[nodiscard]] uint64_t begin_of(const CostedMiss& miss, uint64_t entered) const {
    for (uint32_t i = 0; miss.waits && i < kRecent; ++i) {
      if (recent_[i].slot == miss.waits_for && recent_[i].complete > entered) return recent_[i].complete;
    }
    return entered;
  }

  // When the instruction at an earlier slot retired.
  [[nodiscard]] uint64_t retired_at(uint64_t slot) const {
    uint64_t later_slot = last_slot_, later = retired_;  // the first miss known to be after it
    for (uint32_t back = 1; back <= kRecent && back <= next_; ++back) {
      const Recent& each = recent_[(next_ - back) % kRecent];
      if (each.slot <= slot) return each.retired + (slot - each.slot) * costs_.slot;
      later_slot = each.slot;
      later = each.reached;
    }
    uint64_t between = later_slot > slot ? (later_slot - slot) * costs_.slot : 0;
    return later > between ? later - between : 0;
  }

  // A level delivers one line after the other. `busy_until` is when it is free, and becomes when it has
  // delivered a line that is asked for at `time`.
  static uint64_t take_turn(uint64_t& busy_until, uint64_t time, uint64_t distance) {
    if (busy_until < time) busy_until = time;
    busy_until += distance;
    return busy_until;
  }

  // A store waits in the store buffer; the core waits for the oldest store if the buffer is full.
  uint64_t store(uint64_t slot, uint64_t distance) {
    uint64_t& oldest = buffered_[next_store_++ % kBuffered];
    uint64_t cost = oldest > retired_ ? wait_until(oldest, slot, 0) : 0;
    oldest = take_turn(stored_, retired_, distance);
    return cost;
  }

  Costs costs_;
  uint64_t last_slot_ = 0;
  uint64_t retired_ = 0;  // when the last instruction retired
  uint64_t fetched_ = 0;  // when the last code line that missed came
  uint64_t prefetched_ = 0, served_[4] = {},
           stored_ = 0;                // until when prefetchers, levels and stores are busy
  uint64_t buffered_[kBuffered] = {};  // when each store of the buffer is done
  Recent recent_[kRecent] = {};
  uint32_t next_ = 0, next_store_ = 0;
  FollowedWalks walks_;
  FollowedWalks code_walks_;
};

}  // namespace hm::model
