// SPDX-License-Identifier: MIT
#include "app/query/occupancy_query.h"

#include <fmt/ranges.h>

#include <utility>

#include "app/query/program_sizes.h"

namespace hm::query {

Result<std::optional<occupancy::OverTime>> find_occupancy(const profile::Profile& profile,
                                                          const OccupancyOptions& options,
                                                          const symbol::Resolver& resolver) {
  Result<std::vector<ProgramSizes>> recorded = load_program_sizes(options.sizes, options.reading, resolver);
  if (!recorded) return recorded.error();
  std::vector<occupancy::SizedProgram> programs;
  for (ProgramSizes& each : *recorded)
    programs.push_back({each.input, fmt::format("{}", fmt::join(each.profile.origin().command, " ")),
                        std::move(each.sizes)});
  std::optional<occupancy::OverTime> over = occupancy::held_over_time(profile, options.cells, {}, programs);
  if (!over) return over;
  Status known = occupancy::check_programs(profile, over->cache_bytes, programs);
  if (!known) return known.error();
  return over;
}

Result<OccupancyReport> report_occupancy(const OccupancyOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile =
      load_profile(options.input, resolver, profile::kPlacesOnly, options.reading);
  if (!profile) return profile.error();
  Result<std::optional<occupancy::OverTime>> over_time = find_occupancy(*profile, options, resolver);
  if (!over_time) return over_time.error();
  if (!*over_time)
    return make_error(ErrorCode::kNotFound,
                      "{} has no occupancy of the last-level cache; `hardmeter record --llc` records it",
                      options.input);
  totals::Totals totals = totals::find_totals(*profile);
  return OccupancyReport{*std::move(profile), std::move(totals), *std::move(*over_time)};
}

}  // namespace hm::query
