// SPDX-License-Identifier: MIT
// Who held how much of the last-level caches over time (record/occupancy.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/occupancy.h"

namespace hm::profile {

struct OccupancyPoint {
  uint64_t time_ns = 0;
  std::optional<uint64_t> occupancy_bytes;
  std::optional<uint64_t> total_bytes_per_s;  // through the memory bus, since the point before
};

// Of one who was measured.
struct OccupancySeries {
  std::string name;
  uint32_t pid = 0;  // of the first of its processes; 0: of none
  bool is_modelled = false;
  uint64_t cache_bytes = 0;            // 0: not known
  std::vector<OccupancyPoint> points;  // in order of time
};

// A reading at its time, as a segment finds it.
struct OccupancyAt {
  uint64_t time_ns = 0;
  uint32_t pid = 0;
  record::OccupancyReading reading;
};

// The series of readings that come in order of time; in the order in which each first comes.
class OccupancyJoin {
 public:
  void add(std::vector<OccupancyAt> readings);
  [[nodiscard]] std::vector<OccupancySeries> take() { return std::move(series_); }

 private:
  std::vector<OccupancySeries> series_;
  std::unordered_map<std::string, size_t> by_name_;
};

}  // namespace hm::profile
