// SPDX-License-Identifier: MIT
#include "app/query/corun.h"

#include <optional>

namespace hm::query {

Result<CorunAnswer> predict_corun(const CorunOptions& options, const symbol::Resolver& resolver) {
  std::vector<corun::Program> programs;
  std::optional<map::Cache> cache;
  for (const std::string& input : options.inputs) {
    Result<profile::Profile> profile = load_profile(input, resolver, profile::kPlacesOnly, options.reading);
    if (!profile) return profile.error();
    std::optional<profile::Sizes> sizes = profile::recorded_sizes(profile->features);
    if (!sizes)
      return make_error(ErrorCode::kNotFound,
                        "{} does not tell what caches of other sizes would do: record it with --sizes",
                        input);
    programs.push_back({input, *std::move(sizes)});
    if (cache) continue;
    Result<map::Cache> chosen = choose_cache(options.cache, *profile);
    if (!chosen) return chosen.error();
    cache = *std::move(chosen);
  }
  if (!cache) return make_error(ErrorCode::kInvalidArgument, "no recording is named");
  Result<corun::Corun> corun = corun::predict(programs, {cache->sets, cache->line_bytes, options.caches});
  if (!corun) return corun.error();
  return CorunAnswer{options.inputs, *std::move(cache), *std::move(corun)};
}

}  // namespace hm::query
