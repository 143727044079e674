// SPDX-License-Identifier: MIT
// Who held how much of the last-level caches while a recording was made, and who suffered from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/contention.h"
#include "profile/profile.h"

namespace hm::occupancy {

// Of one who was measured.
struct Held {
  std::string name;
  std::string short_name;             // without the command's arguments and folder
  size_t readings = 0, measured = 0;  // and of how many the occupancy is known
  std::optional<double> mean_bytes;
  std::optional<uint64_t> most_bytes;
  uint64_t most_at_ns = 0;
  std::optional<double> mean_bytes_per_s;    // through the memory bus
  std::vector<std::optional<double>> cells;  // mean bytes in equal parts of the time
};

struct OverTime {
  bool is_modelled = false;
  uint64_t cache_bytes = 0;           // 0: not known
  uint64_t begin_ns = 0, end_ns = 0;  // since the recording's first sample, as all times
  std::vector<Held> held;
  std::vector<Contention> contentions;  // the most events more first
};

// A part of the time, since the first sample; as far as there are readings.
struct Part {
  uint64_t from_ns = 0, to_ns = UINT64_MAX;
};

// nullopt where nothing was recorded about it, or nothing of that time. The events are those of last-level
// misses if there are any, else the first one's. `programs`: of whom it is known how often other sizes miss.
[[nodiscard]] std::optional<OverTime> held_over_time(const profile::Profile& profile, size_t cells,
                                                     const Part& part = {},
                                                     const std::vector<SizedProgram>& programs = {});

}  // namespace hm::occupancy
