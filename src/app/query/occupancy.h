// SPDX-License-Identifier: MIT
// Who held how much of the last-level caches while a recording was made.
#pragma once

#include <cstddef>
#include <string>

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

// kNotFound where the recording does not tell (it was made without --llc). `cells`: into how many equal parts
// the time is divided.
[[nodiscard]] Result<OccupancyReport> report_occupancy(const std::string& input, const Reading& reading,
                                                       size_t cells, const symbol::Resolver& resolver);

}  // namespace hm::query
