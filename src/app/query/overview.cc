// SPDX-License-Identifier: MIT
#include "app/query/overview.h"

#include <algorithm>

#include "app/query/load.h"
#include "profile/lookup.h"

namespace hm::query {
namespace {

Result<std::vector<hotspots::Hotspots>> top_functions(const profile::Profile& profile,
                                                      const symbol::Resolver& resolver, size_t limit) {
  std::vector<hotspots::Hotspots> all;
  for (const profile::Event& event : profile.events) {
    hotspots::Options options;
    options.filter.events = {event.name};
    options.limit = limit;
    Result<hotspots::Hotspots> top = hotspots::find_hotspots(profile, resolver, options);
    if (!top) return top.error();
    if (!top->rows.empty()) all.push_back(*std::move(top));
  }
  return all;
}

bool advises(const cause::EventCauses& causes) {
  return std::ranges::any_of(causes.places,
                             [](const cause::Place& place) { return place.advice.has_value(); });
}

Result<std::optional<cause::Causes>> top_causes(const profile::Profile& profile,
                                                const symbol::Resolver& resolver, size_t limit) {
  for (const profile::Event& event : profile.events) {
    cause::Options options;
    options.filter.events = {event.name};
    options.limit = limit;
    Result<cause::Causes> top = cause::find_causes(profile, resolver, options);
    if (!top) return top.error();
    if (std::ranges::any_of(top->events, advises)) return std::optional(*std::move(top));
  }
  return std::optional<cause::Causes>();
}

}  // namespace

Result<Overview> overview(const OverviewOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = load_profile(options.input, resolver, kCauses, {});
  if (!profile) return profile.error();
  Result<std::vector<hotspots::Hotspots>> functions = top_functions(*profile, resolver, options.functions);
  if (!functions) return functions.error();
  Result<std::optional<cause::Causes>> causes = top_causes(*profile, resolver, options.places);
  if (!causes) return causes.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Overview{*std::move(profile), std::move(totals), *std::move(functions), *std::move(causes)};
}

}  // namespace hm::query
