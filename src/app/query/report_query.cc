// SPDX-License-Identifier: MIT
#include "app/query/report_query.h"

#include <algorithm>

#include "analysis/hotspots/grouping.h"
#include "app/query/load.h"
#include "profile/lookup.h"

namespace hm::query {
namespace {

profile::Needs needs_of(const hotspots::Options& options) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.chains = options.callers || (options.inclusive && hotspots::Grouping::groups_functions(options.keys));
  needs.objects = std::ranges::any_of(options.keys, hotspots::is_of_data);
  needs.details = needs.objects || options.latencies ||
                  std::ranges::any_of(options.keys, hotspots::is_of_data_source) ||
                  std::ranges::find(options.keys, hotspots::SortKey::kSite) != options.keys.end();
  return needs;
}

}  // namespace

Result<Report> report(const ReportOptions& options, const symbol::Resolver& resolver) {
  hotspots::Options wanted = options.hotspots;
  Result<std::vector<hotspots::SortKey>> keys = hotspots::parse_sort_keys(options.sort);
  if (!keys) return keys.error();
  wanted.keys = *std::move(keys);
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs_of(wanted), options.reading);
  if (!profile) return profile.error();
  Result<hotspots::Hotspots> result = hotspots::find_hotspots(*profile, resolver, wanted);
  if (!result) return result.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Report{*std::move(profile), std::move(totals), *std::move(result)};
}

Result<BranchReport> report_branches(const ReportOptions& options, const symbol::Resolver& resolver) {
  Result<branches::GroupBy> group = branches::parse_group(options.sort);
  if (!group) return group.error();
  profile::Needs needs = profile::kPlacesOnly;
  needs.branches = profile::Branches::kWhole;
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs, options.reading);
  if (!profile) return profile.error();
  Result<branches::Branches> result = branches::find_branches(
      *profile, {.group = *group, .filter = options.hotspots.filter, .limit = options.hotspots.limit},
      &resolver);
  if (!result) return result.error();
  totals::Totals totals = totals::find_totals(*profile);
  return BranchReport{*std::move(profile), std::move(totals), *std::move(result)};
}

}  // namespace hm::query
