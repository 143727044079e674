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
  Stalls(const Costs& costs, unsigned lines_per_page_shift)
      : costs_(costs), page_shift_(lines_per_page_shift) {}

  Stall of(const CostedMiss& miss) {
    const Costs::OfLevel& level = costs_.levels[static_cast<uint32_t>(miss.level)];
    uint64_t full = level.latency + translation(miss.translation);
    retired_ += (miss.slot - last_slot_) * costs_.slot;
    last_slot_ = miss.slot;
    bool followed = miss.level != Level::kL1 && walks_.follows(miss.line, miss.site, costs_, page_shift_);
    if (miss.stores) return store(full, level.store);
    uint64_t begin = began(miss);
    uint64_t complete =
        followed ? deliver(prefetched_, begin, 0, level.followed)
                 : deliver(served_[static_cast<uint32_t>(miss.level)], begin, full, level.overlapped);
    uint64_t reached = retired_, cost = complete > reached ? complete - reached : 0;
    retired_ += cost;
    recent_[next_++ % kRecent] = {miss.slot, complete, reached, retired_};
    uint64_t hidden = full > cost ? full - cost : 0;
    return followed ? Stall{cost, hidden, 0} : Stall{cost, 0, hidden};
  }

  // A code line that missed. The fetch of the next lines runs ahead, so a walk through code hides them;
  // others stop the core, as nothing is left to execute.
  uint64_t of_fetch(uint64_t line, Level level, Translation how) {
    bool followed = code_walks_.follows(line, 0, costs_, page_shift_);
    const Costs::OfLevel& costs = costs_.levels[static_cast<uint32_t>(level)];
    uint64_t cost = (followed ? costs.followed : costs.latency) + translation(how);
    retired_ += cost;
    return cost;
  }

 private:
  static constexpr uint32_t kRecent = 32;

  struct Recent {
    uint64_t slot = 0;
    uint64_t complete = 0;
    uint64_t reached = 0;  // when the instruction became the oldest
    uint64_t retired = 0;
  };

  [[nodiscard]] uint64_t translation(Translation how) const {
    return how == Translation::kFirstTlb    ? 0
           : how == Translation::kSecondTlb ? costs_.second_tlb
                                            : costs_.page_walk;
  }

  // When the access begins: its instruction enters the window when the one `window_slots` before retires.
  [[nodiscard]] uint64_t began(const CostedMiss& miss) const {
    uint64_t begin = retired_at(miss.slot > costs_.window_slots ? miss.slot - costs_.window_slots : 0);
    for (uint32_t i = 0; miss.waits && i < kRecent; ++i) {
      if (recent_[i].slot == miss.waits_for && recent_[i].complete > begin) begin = recent_[i].complete;
    }
    return begin;
  }

  // When the instruction at an earlier slot retired.
  [[nodiscard]] uint64_t retired_at(uint64_t slot) const {
    uint64_t later_slot = last_slot_, later = retired_;  // the next miss known to be after it
    for (uint32_t back = 1; back <= kRecent && back <= next_; ++back) {
      const Recent& each = recent_[(next_ - back) % kRecent];
      if (each.slot <= slot) return each.retired + (slot - each.slot) * costs_.slot;
      later_slot = each.slot;
      later = each.reached;
    }
    uint64_t between = (later_slot - slot) * costs_.slot;
    return later > between ? later - between : 0;
  }

  // `last` is when the level delivered its last line, and becomes when it delivers this one.
  static uint64_t deliver(uint64_t& last, uint64_t begin, uint64_t latency, uint64_t least_distance) {
    uint64_t complete = begin + latency;
    if (complete < last + least_distance) complete = last + least_distance;
    last = complete;
    return complete;
  }

  // A store waits in the store buffer; the core waits if the buffer is full.
  Stall store(uint64_t full, uint64_t cost) {
    constexpr uint64_t kBuffered = 48;
    if (stored_ < retired_) stored_ = retired_;
    stored_ += cost;
    uint64_t most = retired_ + kBuffered * cost;
    uint64_t waits = stored_ > most ? stored_ - most : 0;
    retired_ += waits;
    return {waits, 0, full > waits ? full - waits : 0};
  }

  Costs costs_;
  unsigned page_shift_ = 6;
  uint64_t last_slot_ = 0;
  uint64_t retired_ = 0;                                   // when the last instruction retired
  uint64_t prefetched_ = 0, served_[4] = {}, stored_ = 0;  // last deliveries
  Recent recent_[kRecent] = {};
  uint32_t next_ = 0;
  FollowedWalks walks_;
  FollowedWalks code_walks_;
};

}  // namespace hm::model
