// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/over_time.h"
#include "analysis/timeline/episodes.h"
#include "analysis/timeline/timeline.h"
#include "profile/profile.h"

namespace hm::json {

// Times in ns; those since the first sample end in "_at". A bin is a list of times, one for each of
// "functions" and then of all others, or null where nothing ran. "rates" have the events per second of
// each bin, or null where they were not measured; in "gaps" they are too low, as samples may be missing.
// `over_time`: who held the last-level cache, where the recording tells.
[[nodiscard]] std::string timeline_json(const profile::Profile& profile, const timeline::Timeline& timeline,
                                        const std::vector<timeline::Episode>& episodes,
                                        const std::optional<occupancy::OverTime>& over_time);

}  // namespace hm::json
