// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/occupancy/over_time.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct ExplainOptions {
  std::string input = "perf.data";  // load_profile()
  Reading reading;                  // likewise
  cause::Options cause;
  std::vector<std::string> sizes;  // OccupancyOptions::sizes
};

struct Explanation {
  profile::Profile profile;
  totals::Totals totals;
  cause::Causes causes;
  std::optional<occupancy::OverTime> over_time;  // who held the last-level cache, where that was recorded
};

// Why hot places miss, and what to change.
[[nodiscard]] Result<Explanation> explain(const ExplainOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
