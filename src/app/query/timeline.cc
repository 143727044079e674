// SPDX-License-Identifier: MIT
#include "app/query/timeline.h"

namespace hm::query {

Result<TimelineAnswer> timeline_of(const TimelineOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.branches = true;
  needs.details = options.timeline.by == timeline::By::kCpu;
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs, options.reading);
  if (!profile) return profile.error();
  Result<timeline::Timeline> timeline = timeline::find_timeline(*profile, options.timeline);
  if (!timeline) return timeline.error();
  totals::Totals totals = totals::find_totals(*profile);
  return TimelineAnswer{*std::move(profile), std::move(totals), *std::move(timeline)};
}

}  // namespace hm::query
