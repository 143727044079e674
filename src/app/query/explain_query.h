// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/occupancy/occupancy_over_time.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct ExplainOptions {
  std::string input = "perf.data";  // for load_profile()
  Reading reading;                  // for load_profile()
  cause::Options cause;
  std::vector<std::string> sizes;  // as OccupancyOptions::sizes
};

struct Explanation {
  profile::Profile profile;
  totals::Totals totals;
  cause::Causes causes;
  std::optional<occupancy::OverTime> over_time;  // occupancy of the last-level cache, if recorded
};

// Explains the misses of hot places and gives advice.
[[nodiscard]] Result<Explanation> explain(const ExplainOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
