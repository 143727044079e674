// SPDX-License-Identifier: MIT
#include "app/query/occupancy.h"

namespace hm::query {

Result<OccupancyReport> report_occupancy(const std::string& input, const Reading& reading, size_t cells,
                                         const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = load_profile(input, resolver, profile::kPlacesOnly, reading);
  if (!profile) return profile.error();
  std::optional<occupancy::OverTime> over_time = occupancy::held_over_time(*profile, cells);
  if (!over_time)
    return make_error(ErrorCode::kNotFound,
                      "{} does not tell who held the last-level cache; `hardmeter record --llc` records that",
                      input);
  totals::Totals totals = totals::find_totals(*profile);
  return OccupancyReport{*std::move(profile), std::move(totals), *std::move(over_time)};
}

}  // namespace hm::query
