// SPDX-License-Identifier: MIT
// Who held how much of the last-level caches while a recording was made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/over_time.h"
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
  std::string input = "perf.data";  // load_profile()
  Reading reading;                  // likewise
  size_t cells = 0;                 // into how many equal parts the time is divided
  // Recordings with --sizes of the programs, one of each: how the cache is best divided follows from them.
  std::vector<std::string> sizes;
};

// kNotFound where the recording does not tell (it was made without --llc), or one of `sizes` is of a program
// that was not measured.
[[nodiscard]] Result<OccupancyReport> report_occupancy(const OccupancyOptions& options,
                                                       const symbol::Resolver& resolver);

// Of a recording that is loaded, by all options but its name; nullopt where it does not tell.
[[nodiscard]] Result<std::optional<occupancy::OverTime>> find_occupancy(const profile::Profile& profile,
                                                                        const OccupancyOptions& options,
                                                                        const symbol::Resolver& resolver);

}  // namespace hm::query
