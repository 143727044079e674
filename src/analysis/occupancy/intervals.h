// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace hm::occupancy {

// What one of those who were measured did from one reading to the next.
struct Interval {
  std::optional<double> share;  // of the cache
  double events = 0;
  std::map<uint32_t, double> by_function;  // events
};

// All of them, by series and interval. Interval i ends at times[i + 1].
struct Intervals {
  std::vector<uint64_t> times;
  std::vector<std::vector<Interval>> of;  // by series

  [[nodiscard]] double seconds(size_t i) const { return static_cast<double>(times[i + 1] - times[i]) * 1e-9; }
};

// `event`: whose samples are counted, for the processes of who is measured and those that they started.
[[nodiscard]] Intervals intervals_of(const profile::Profile& profile, uint32_t event, uint64_t cache_bytes);

}  // namespace hm::occupancy
