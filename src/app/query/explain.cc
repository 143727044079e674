// SPDX-License-Identifier: MIT
#include "app/query/explain.h"

#include "app/query/load.h"

namespace hm::query {

Result<Explanation> explain(const ExplainOptions& options) {
  Result<profile::Profile> profile = load_profile(options.input, kPlacesAndData, options.raw_ip);
  if (!profile) return profile.error();
  Result<cause::Causes> result = cause::find_causes(*profile, options.cause);
  if (!result) return result.error();
  totals::Totals totals = totals::find_totals(*profile);
  return Explanation{*std::move(profile), std::move(totals), *std::move(result)};
}

}  // namespace hm::query
