// SPDX-License-Identifier: MIT
// The first look at a recording that was just made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/cause/worst_places.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/totals.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct OverviewOptions {
  std::string input = "perf.data";  // load_profile()
  size_t functions = 10;            // of each event
  size_t places = 3;
};

struct Overview {
  profile::Profile profile;
  totals::Totals totals;
  std::vector<hotspots::Hotspots> functions;  // with the most samples: one of each event that has any
  // The places of all events that cost most; empty where samples have no latencies.
  std::vector<cause::WorstPlace> worst;
  cause::ContestedLines contested;
  // Where `worst` is empty: why the hottest places miss, of the first event of which that is known; nullopt
  // where it is of none.
  std::optional<cause::Causes> causes;
};

[[nodiscard]] Result<Overview> overview(const OverviewOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
