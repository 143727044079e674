// SPDX-License-Identifier: MIT
// How sure bursts are of what they tell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analysis/sizes/sampled_misses.h"
#include "event/event_id.h"
#include "model/size_counts.h"
#include "pmu/soft/launcher/totals.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::measure {

// Half of a 95 % interval of an event's total, as a part of it, where `sums` are those of its bursts: by the
// ratio of events to slots, whose variance is that between bursts (W. G. Cochran, Sampling Techniques, 3rd
// ed., equation 6.13). nullopt where there are fewer than two bursts, or none had the event.
[[nodiscard]] std::optional<double> relative_error(const soft::BurstSums& sums, event::EventId id);

// Likewise of a run. In episodes, whose bursts lie close together and are alike, by the variance between
// episodes.
[[nodiscard]] std::optional<double> relative_error(const soft::Totals& totals, event::EventId id,
                                                   bool in_episodes);

// The misses of one of the caches of all sizes, by those in the bursts, which came in batches: by the ratio
// of misses to accesses, as above. `accesses` are all that there were.
[[nodiscard]] sizes::SampledMisses burst_misses(std::span<const model::SizeCounts> batches, uint64_t accesses,
                                                uint32_t set_count, uint32_t ways);

}  // namespace hm::measure
