// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/timeline/timeline.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct TimelineOptions {
  std::string input = "perf.data";  // load_profile()
  Reading reading;                  // likewise
  timeline::Options timeline;
};

struct TimelineAnswer {
  profile::Profile profile;
  totals::Totals totals;
  timeline::Timeline timeline;
};

// Which functions of a recording ran when.
[[nodiscard]] Result<TimelineAnswer> timeline_of(const TimelineOptions& options,
                                                 const symbol::Resolver& resolver);

}  // namespace hm::query
