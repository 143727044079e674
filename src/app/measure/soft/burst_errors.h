// SPDX-License-Identifier: MIT
// Statistical errors of estimates from bursts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/sizes/sampled_misses.h"
#include "base/sum_error.h"
#include "event/event_id.h"
#include "model/size_counts.h"
#include "pmu/soft/launcher/session_totals.h"

namespace hm::measure {

// Estimates from bursts are ratios of counts to slots; their errors follow from the differences between
// bursts. In episodes, bursts are close together and alike, so the differences between episodes are used
// instead.
class BurstErrors {
 public:
  BurstErrors(const soft::Totals& totals, bool in_episodes);

  // Returns the half-width of the 95 % interval of an event's total, as a fraction of the total. Returns
  // nullopt if there are fewer than two bursts, or none with the event.
  [[nodiscard]] std::optional<double> of_total(event::EventId id) const;

  // Returns the half-width of the 95 % interval of the share of waits for memory in all modelled cycles, from
  // 0 to 1. Waits and cycles of a burst vary together, so the interval of their ratio is narrower than that
  // of the waits. Linearizes the ratio (W. G. Cochran, Sampling Techniques, 3rd ed., section 6.3). Returns
  // nullopt if there are fewer than two bursts, none with a wait, or if no cycles were counted.
  [[nodiscard]] std::optional<double> of_wait_share() const;

  // Returns unseen_share() if there are bursts, and none has a wait.
  [[nodiscard]] std::optional<double> unseen_waits() const;

 private:
  [[nodiscard]] double half_width(const std::vector<double>& deviations) const;

  const soft::Totals& totals_;
  bool in_episodes_;
  std::vector<soft::BurstGroup> groups_;
  soft::Counted sums_{};  // of the groups
  Selection selection_;
};

// Returns the largest share of the instructions, from 0 to 1, that a function may have although no burst met
// it, with 95 % certainty: (1 - share)^bursts = 0.05 in the part of the run that was not measured exactly. In
// episodes, bursts are close together and similar, so each episode is one observation.
[[nodiscard]] double unseen_share(const soft::Totals& totals, bool in_episodes);

// Returns the misses of one of the additionally modelled caches, estimated from batches of bursts. The
// estimate is the ratio of misses to accesses, as above. `accesses` is the total of the run.
[[nodiscard]] sizes::SampledMisses burst_misses(std::span<const model::SizeCounts> batches, uint64_t accesses,
                                                uint32_t set_count, uint32_t ways);

}  // namespace hm::measure
