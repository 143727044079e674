// SPDX-License-Identifier: MIT
#include "app/query/annotate_query.h"

#include "app/query/load.h"
#include "profile/lookup.h"

namespace hm::query {

Result<Annotated> annotate_function(const AnnotateOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.details = options.annotate.latencies;
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs, options.reading);
  if (!profile) return profile.error();
  Result<annotate::Annotation> result = annotate::annotate(*profile, resolver, options.annotate);
  if (!result) return result.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Annotated{*std::move(profile), std::move(totals), *std::move(result)};
}

}  // namespace hm::query
