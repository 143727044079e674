// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace hm::occupancy {

// Activity of one measured process between two successive readings.
struct Interval {
  std::optional<double> share;  // share of the cache
  double events = 0;
  std::map<uint32_t, double> by_function;  // events, by function
};

// The intervals of all series. Interval i ends at times[i + 1].
struct Intervals {
  std::vector<uint64_t> times;
  std::vector<std::vector<Interval>> of;  // by series, then by interval

  [[nodiscard]] double seconds(size_t i) const { return static_cast<double>(times[i + 1] - times[i]) * 1e-9; }
};

// `event`: event to count, in the samples of the measured processes and of their descendants.
[[nodiscard]] Intervals intervals_of(const profile::Profile& profile, uint32_t event, uint64_t cache_bytes);

}  // namespace hm::occupancy
