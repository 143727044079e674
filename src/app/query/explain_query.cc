// SPDX-License-Identifier: MIT
#include "app/query/explain_query.h"

#include "app/query/load.h"
#include "app/query/occupancy_query.h"
#include "profile/lookup.h"

namespace hm::query {

Result<Explanation> explain(const ExplainOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = load_profile(options.input, resolver, kCauses, options.reading);
  if (!profile) return profile.error();
  Result<cause::Causes> result = cause::find_causes(*profile, resolver, options.cause);
  if (!result) return result.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  Result<std::optional<occupancy::OverTime>> over_time =
      find_occupancy(*profile, {options.input, options.reading, 0, options.sizes}, resolver);
  if (!over_time) return over_time.error();
  return Explanation{*std::move(profile), std::move(totals), *std::move(result), *std::move(over_time)};
}

}  // namespace hm::query
