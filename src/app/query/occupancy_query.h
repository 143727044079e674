// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches during a recording.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/occupancy_over_time.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::query {

struct OccupancyReport {
  profile::Profile profile;
  totals::Totals totals;
  occupancy::OverTime over_time;
};

struct OccupancyOptions {
  std::string input = "perf.data";  // for load_profile()
  Reading reading;                  // for load_profile()
  size_t cells = 0;                 // number of equal parts to divide the time into
  // Recordings with --sizes, one per program; used to compute the best division of the cache.
  std::vector<std::string> sizes;
};

// Fails with kNotFound if the recording has no occupancy (it was made without --llc), or if a program in
// `sizes` was not measured.
[[nodiscard]] Result<OccupancyReport> report_occupancy(const OccupancyOptions& options,
                                                       const symbol::Resolver& resolver);

// Computes the occupancy of a loaded recording; `input` is ignored. Returns nullopt if the recording has no
// occupancy.
[[nodiscard]] Result<std::optional<occupancy::OverTime>> find_occupancy(const profile::Profile& profile,
                                                                        const OccupancyOptions& options,
                                                                        const symbol::Resolver& resolver);

}  // namespace hm::query
