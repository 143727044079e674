// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "analysis/occupancy/snapshot.h"

namespace hm::csv {

inline constexpr std::string_view kOccupancyHeader =
    "time_s,key,pid,name,occupancy_bytes,low_bytes,high_bytes,cache_bytes,total_bytes_per_s,local_bytes_per_"
    "s,"
    "measured_share,age_s\n";

// Returns a line for each row of a snapshot. A field is empty if it was not measured.
[[nodiscard]] std::string occupancy_lines(const occupancy::Snapshot& snapshot);

}  // namespace hm::csv
