// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches over the time of a recording, and the processes that suffered from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/contention.h"
#include "profile/profile.h"

namespace hm::occupancy {

// Occupancy of one measured process.
struct Held {
  std::string name;
  std::string short_name;             // without the command's arguments and folder
  size_t readings = 0, measured = 0;  // number of readings, and of readings with a known occupancy
  std::optional<double> mean_bytes;
  std::optional<uint64_t> max_bytes;
  uint64_t max_at_ns = 0;
  std::optional<double> mean_bytes_per_s;    // memory bandwidth
  std::vector<std::optional<double>> cells;  // mean bytes in equal parts of the time
};

struct OverTime {
  bool is_modelled = false;
  uint64_t cache_bytes = 0;           // 0: unknown
  uint64_t begin_ns = 0, end_ns = 0;  // since the recording's first sample, as all times
  std::vector<Held> held;
  std::vector<Contention> contentions;  // largest excess of events first
};

// A part of the time since the first sample; clipped to the range of the readings.
struct Part {
  uint64_t from_ns = 0, to_ns = UINT64_MAX;
};

// Returns nullopt if the recording has no occupancy readings, or none in `part`. The events are last-level
// misses if they were recorded, else the first event. `programs`: programs with known miss curves.
[[nodiscard]] std::optional<OverTime> held_over_time(const profile::Profile& profile, size_t cells,
                                                     const Part& part = {},
                                                     const std::vector<SizedProgram>& programs = {});

}  // namespace hm::occupancy
