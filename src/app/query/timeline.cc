// SPDX-License-Identifier: MIT
#include "app/query/timeline.h"

namespace hm::query {

Result<RecordedHistory> history_of(const TimelineOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.branches = profile::Branches::kFunctions;
  needs.cpus = options.with_cpus;
  Result<profile::Profile> loaded = load_profile(options.input, resolver, needs, options.reading);
  if (!loaded) return loaded.error();
  auto profile = std::make_unique<const profile::Profile>(*std::move(loaded));
  Result<timeline::History> history = timeline::History::make(*profile, options.history);
  if (!history) return history.error();
  totals::Totals totals = totals::find_totals(*profile);
  return RecordedHistory{std::move(profile), std::move(totals), *std::move(history)};
}

}  // namespace hm::query
