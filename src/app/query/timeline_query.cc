// SPDX-License-Identifier: MIT
#include "app/query/timeline_query.h"

#include <optional>

#include "base/parallel.h"

namespace hm::query {

Result<RecordedHistory> history_of(const TimelineOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.branches = profile::Branches::kFunctions;
  needs.cpus = options.with_cpus;
  Result<profile::Profile> loaded = load_profile(options.input, resolver, needs, options.reading);
  if (!loaded) return loaded.error();
  if (options.history.way == timeline::Way::kCycles && loaded->samples.branch_cycles.size() == 0)
    loaded->notes.emplace_back(
        "no branch has cycles, which few processors record, so --way dwell is used instead of cycles");
  auto profile = std::make_unique<const profile::Profile>(*std::move(loaded));
  std::optional<Result<timeline::History>> history;
  totals::Totals totals;
  // Run concurrently, because neither uses all CPUs.
  parallel_for(2, available_cpus(), [&](size_t which) {
    if (which == 0)
      history = timeline::History::make(*profile, options.history, &resolver);
    else
      totals = totals::find_totals(*profile);
  });
  if (!*history) return history->error();
  return RecordedHistory{std::move(profile), std::move(totals), **std::move(history)};
}

Result<ShownWindow> show_window(const timeline::History& history, const profile::Profile& profile,
                                const timeline::Window& window) {
  Result<timeline::Timeline> shown = history.show(window);
  if (!shown) return shown.error();
  std::vector<timeline::Episode> episodes = timeline::find_episodes(history.source(), shown->by);
  std::erase_if(episodes, [&](const timeline::Episode& each) {
    return each.end_ns <= shown->begin_ns || each.begin_ns >= shown->end_ns;
  });
  size_t cells = shown->lanes.empty() ? 0 : shown->lanes.front().bins.size();
  std::optional<occupancy::OverTime> over_time =
      occupancy::held_over_time(profile, cells, {shown->begin_ns, shown->end_ns});
  return ShownWindow{*std::move(shown), std::move(episodes), std::move(over_time)};
}

}  // namespace hm::query
