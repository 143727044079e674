// SPDX-License-Identifier: MIT
#include "profile/occupancy_series.h"

namespace hm::profile {

void OccupancyJoin::add(std::vector<OccupancyAt> readings) {
  for (OccupancyAt& each : readings) {
    record::OccupancyReading& reading = each.reading;
    auto [found, is_new] = by_name_.try_emplace(reading.name, series_.size());
    if (is_new)
      series_.push_back({std::move(reading.name), each.pid, reading.is_modelled, reading.cache_bytes, {}});
    series_[found->second].points.push_back(
        {each.time_ns, reading.occupancy_bytes, reading.total_bytes_per_s});
  }
}

}  // namespace hm::profile
