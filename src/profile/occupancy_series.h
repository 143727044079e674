// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches over time, by measured program (record/occupancy_record.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/occupancy_record.h"

namespace hm::profile {

struct OccupancyPoint {
  uint64_t time_ns = 0;
  std::optional<uint64_t> occupancy_bytes;
  std::optional<uint64_t> total_bytes_per_s;  // memory-bus traffic since the previous point
};

// The readings of one measured program.
struct OccupancySeries {
  std::string name;
  uint32_t pid = 0;  // process ID of its first process; 0: none
  bool is_modelled = false;
  uint64_t cache_bytes = 0;            // 0: unknown
  std::vector<OccupancyPoint> points;  // in order of time
};

// A reading with its time, as loaded from a segment.
struct OccupancyAt {
  uint64_t time_ns = 0;
  uint32_t pid = 0;
  record::OccupancyReading reading;
};

// Collects readings, added in order of time, into series. The series are in the order of their first
// readings.
class OccupancyJoin {
 public:
  void add(std::vector<OccupancyAt> readings);
  [[nodiscard]] std::vector<OccupancySeries> take() { return std::move(series_); }

 private:
  std::vector<OccupancySeries> series_;
  std::unordered_map<std::string, size_t> by_name_;
};

}  // namespace hm::profile
