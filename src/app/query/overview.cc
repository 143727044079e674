// SPDX-License-Identifier: MIT
#include "app/query/overview.h"

#include <algorithm>

#include "app/query/load.h"
#include "profile/lookup.h"

namespace hm::query {
namespace {

constexpr std::string_view kMemoryWait = "memory_wait";

Result<std::vector<hotspots::Hotspots>> top_functions(const profile::Profile& profile,
                                                      const symbol::Resolver& resolver, size_t limit) {
  std::vector<hotspots::Hotspots> all;
  auto waits = std::ranges::find(profile.events, kMemoryWait, &profile::Event::name);
  for (const profile::Event& event : profile.events) {
    if (waits != profile.events.end() && event.name != kMemoryWait) continue;
    hotspots::Options options;
    options.filter.events = {event.name};
    options.limit = limit;
    options.inclusive = true;
    Result<hotspots::Hotspots> top = hotspots::find_hotspots(profile, resolver, options);
    if (!top) return top.error();
    if (!top->rows.empty()) all.push_back(*std::move(top));
  }
  return all;
}

double share_of(const std::vector<hotspots::Count>& counts) {
  return counts.empty() || !counts.front().share ? 0 : counts.front().share->value;
}

bool has_row(const hotspots::Hotspots& table, const hotspots::Row& row) {
  return std::ranges::any_of(table.rows, [&](const hotspots::Row& each) {
    return each.keys == row.keys && each.dso == row.dso && each.file == row.file;
  });
}

// Returns the functions that a language runtime interpreted or compiled. Returns nullopt if they and what
// they call have few of the event's samples, or if `shown` already has them all.
Result<std::optional<hotspots::Hotspots>> script_functions(const profile::Profile& profile,
                                                           const symbol::Resolver& resolver,
                                                           const hotspots::Hotspots& shown, size_t limit) {
  constexpr double kMinShare = 0.1, kShownShare = 0.01;
  hotspots::Options options;
  options.filter = {.events = {shown.events.front().name}, .jit_code = true};
  options.inclusive = options.by_inclusive = true;
  Result<hotspots::Hotspots> scripts = hotspots::find_hotspots(profile, resolver, options);
  if (!scripts) return scripts.error();
  std::vector<hotspots::Row>& rows = scripts->rows;
  if (rows.empty() || share_of(rows.front().inclusive) < kMinShare)
    return std::optional<hotspots::Hotspots>();
  std::erase_if(rows, [](const hotspots::Row& row) { return share_of(row.inclusive) < kShownShare; });
  rows.resize(std::min(rows.size(), limit));
  if (std::ranges::all_of(rows, [&](const hotspots::Row& row) { return has_row(shown, row); }))
    return std::optional<hotspots::Hotspots>();
  return std::optional(*std::move(scripts));
}

bool advises(const cause::EventCauses& causes) {
  return std::ranges::any_of(causes.places,
                             [](const cause::HotLocation& place) { return place.advice.has_value(); });
}

// Returns the first event with advice for a place.
std::optional<cause::Causes> first_advised(const cause::Causes& all, size_t limit) {
  auto found = std::ranges::find_if(all.events, advises);
  if (found == all.events.end()) return std::nullopt;
  cause::Causes causes{{*found}, {}};
  std::vector<cause::HotLocation>& places = causes.events[0].places;
  places.resize(std::min(places.size(), limit));
  return causes;
}

Result<std::optional<reconcile::Reconciliation>> reconciled(const OverviewOptions& options,
                                                            const profile::Profile& model,
                                                            const symbol::Resolver& resolver) {
  if (options.clock.empty()) return std::optional<reconcile::Reconciliation>();
  Result<profile::Profile> clock = load_profile(options.clock, resolver, {}, {});
  if (!clock) return clock.error();
  Result<reconcile::Reconciliation> found = reconcile::reconcile(*clock, model, resolver, options.functions);
  if (!found) return found.error();
  return std::optional(*std::move(found));
}

}  // namespace

Result<Overview> overview(const OverviewOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = load_profile(options.input, resolver, kCauses, {});
  if (!profile) return profile.error();
  Result<std::vector<hotspots::Hotspots>> functions = top_functions(*profile, resolver, options.functions);
  if (!functions) return functions.error();
  std::optional<hotspots::Hotspots> scripts;
  if (!functions->empty()) {
    auto found = script_functions(*profile, resolver, functions->front(), options.scripts);
    if (!found) return found.error();
    scripts = *std::move(found);
  }
  constexpr size_t kOfEachEvent = 20;  // an event's most frequent places need not be its most expensive ones
  cause::Options wanted;
  wanted.limit = std::max(options.places, kOfEachEvent);
  Result<cause::Causes> causes = cause::find_causes(*profile, resolver, wanted);
  if (!causes) return causes.error();
  std::vector<cause::WorstPlace> worst = cause::worst_places(*causes, options.places);
  std::optional<cause::Causes> advised;
  if (worst.empty()) advised = first_advised(*causes, options.places);
  auto reconciliation = reconciled(options, *profile, resolver);
  if (!reconciliation) return reconciliation.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Overview{*std::move(profile), std::move(totals),         *std::move(functions),
                  std::move(scripts),  std::move(worst),          std::move(causes->contested),
                  std::move(advised),  *std::move(reconciliation)};
}

}  // namespace hm::query
