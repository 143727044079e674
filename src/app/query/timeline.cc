// SPDX-License-Identifier: MIT
#include "app/query/timeline.h"

#include <optional>

#include "base/parallel.h"

namespace hm::query {

Result<RecordedHistory> history_of(const TimelineOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.branches = profile::Branches::kFunctions;
  needs.cpus = options.with_cpus;
  Result<profile::Profile> loaded = load_profile(options.input, resolver, needs, options.reading);
  if (!loaded) return loaded.error();
  auto profile = std::make_unique<const profile::Profile>(*std::move(loaded));
  std::optional<Result<timeline::History>> history;
  totals::Totals totals;
  // Side by side: neither keeps all CPUs busy.
  parallel_for(2, available_cpus(), [&](size_t which) {
    if (which == 0)
      history = timeline::History::make(*profile, options.history);
    else
      totals = totals::find_totals(*profile);
  });
  if (!*history) return history->error();
  return RecordedHistory{std::move(profile), std::move(totals), **std::move(history)};
}

}  // namespace hm::query
