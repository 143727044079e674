// SPDX-License-Identifier: MIT
// Estimates a run's totals from the events counted in bursts. If the beginning of the run is counted
// completely (BurstPlan::exact_slots), its counts are exact and only the rest is estimated.
#pragma once

#include <cstdint>

#include "pmu/soft/launcher/session_totals.h"

namespace hm::soft {

class BurstEstimate {
 public:
  explicit BurstEstimate(const ThreadSums& sums)
      : slots_(sums.slots), exact_slots_(sums.exact.slots), counted_slots_(sums.counted.slots) {}

  // True if all slots were counted.
  [[nodiscard]] bool is_exact() const { return counted_slots_ == slots_; }
  [[nodiscard]] bool knows_nothing() const { return counted_slots_ == 0; }
  [[nodiscard]] uint64_t slots_in_bursts() const { return counted_slots_ - exact_slots_; }

  // Estimates the total of an event from `counted` events, `exact` of them outside bursts. Returns 0 if no
  // slot was counted.
  [[nodiscard]] uint64_t all(uint64_t counted, uint64_t exact) const {
    if (is_exact()) return counted;
    if (slots_in_bursts() == 0) return scaled(counted, slots_, exact_slots_);
    return exact + during(slots_ - exact_slots_, counted, exact);
  }

  // Estimates the number of events in `slots` slots from the events counted in bursts (`counted` - `exact`).
  // Returns 0 if there were no bursts.
  [[nodiscard]] uint64_t during(uint64_t slots, uint64_t counted, uint64_t exact) const {
    return scaled(counted - exact, slots, slots_in_bursts());
  }

  // Returns the part of all events that is estimated, from 0 to 1.
  [[nodiscard]] double estimated_part(uint64_t counted, uint64_t exact) const {
    uint64_t estimated = all(counted, exact);
    return estimated == 0 ? 0 : 1 - static_cast<double>(exact) / static_cast<double>(estimated);
  }

 private:
  static uint64_t scaled(uint64_t events, uint64_t slots, uint64_t counted_slots) {
    if (counted_slots == 0) return 0;
    return static_cast<uint64_t>(static_cast<unsigned __int128>(events) * slots / counted_slots);
  }

  uint64_t slots_, exact_slots_, counted_slots_;
};

}  // namespace hm::soft
