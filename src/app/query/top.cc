// SPDX-License-Identifier: MIT
#include "app/query/top.h"

#include "app/query/load.h"

namespace hm::query {

Result<TopView> top(const TopOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = load_profile(options.input, resolver, kCauses, {});
  if (!profile) return profile.error();
  cause::Options wanted;
  wanted.limit = options.places;
  Result<cause::Causes> causes = cause::find_causes(*profile, resolver, wanted);
  if (!causes) return causes.error();
  TopView view{totals::find_verdict(*profile), {}};
  for (cause::EventCauses& each : causes->events) {
    hotspots::Options rows;
    rows.filter.events = {each.name};
    rows.limit = options.rows;
    Result<hotspots::Hotspots> functions = hotspots::find_hotspots(*profile, resolver, rows);
    if (!functions) return functions.error();
    rows.keys = {hotspots::SortKey::kLine};
    Result<hotspots::Hotspots> lines = hotspots::find_hotspots(*profile, resolver, rows);
    if (!lines) return lines.error();
    view.events.push_back({*std::move(functions), *std::move(lines), {{std::move(each)}, {}}});
  }
  if (view.events.empty()) return make_error(ErrorCode::kNotFound, "no sample has come yet");
  return view;
}

}  // namespace hm::query
