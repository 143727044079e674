// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/occupancy_over_time.h"
#include "analysis/timeline/episodes.h"
#include "analysis/timeline/timeline_window.h"
#include "profile/profile.h"

namespace hm::json {

// Times are in ns; those since the first sample end in "_at". A bin is a list of times, one for each of
// "functions" and one for all others, or null if nothing ran. "rates" are the events per second of each bin,
// or null if not measured. In "gaps" the rates are too low, because samples may be missing. `over_time`:
// occupancy of the last-level cache, if the recording has it.
[[nodiscard]] std::string timeline_json(const profile::Profile& profile, const timeline::Timeline& timeline,
                                        const std::vector<timeline::Episode>& episodes,
                                        const std::optional<occupancy::OverTime>& over_time);

}  // namespace hm::json
