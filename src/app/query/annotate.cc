// SPDX-License-Identifier: MIT
#include "app/query/annotate.h"

#include "app/query/load.h"

namespace hm::query {

Result<Annotated> annotate_function(const AnnotateOptions& options) {
  Result<profile::Profile> profile = load_profile(options.input, profile::kPlacesOnly, options.raw_ip);
  if (!profile) return profile.error();
  Result<annotate::Annotation> result = annotate::annotate(*profile, options.annotate);
  if (!result) return result.error();
  totals::Totals totals = totals::find_totals(*profile);
  return Annotated{*std::move(profile), std::move(totals), *std::move(result)};
}

}  // namespace hm::query
