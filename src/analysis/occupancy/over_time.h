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
  size_t readings = 0, measured = 0;  // and of how many the occupancy is known
  std::optional<double> mean_bytes;
  std::optional<uint64_t> most_bytes;
  uint64_t most_at_ns = 0;
  std::optional<double> mean_bytes_per_s;    // through the memory bus
  std::vector<std::optional<double>> cells;  // mean bytes in equal parts of the time
};

struct OverTime {
  bool is_modelled = false;
  uint64_t cache_bytes = 0;  // 0: not known
  uint64_t lasts_ns = 0;     // from the first reading to the last; times are since the first
  std::vector<Held> held;
  std::vector<Contention> contentions;  // the most events more first
};

// nullopt where nothing was recorded about it. The events are those of last-level misses if there are any,
// else the first one's.
[[nodiscard]] std::optional<OverTime> held_over_time(const profile::Profile& profile, size_t cells);

}  // namespace hm::occupancy
