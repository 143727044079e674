// SPDX-License-Identifier: MIT
#include "app/query/map_query.h"

#include "app/query/cache_choice.h"
#include "app/query/load.h"
#include "base/byte_size.h"
#include "profile/lookup.h"

namespace hm::query {

Result<map::Map> map_of(const profile::Profile& profile, const MapOptions& options,
                        const symbol::Resolver* resolver) {
  Result<map::Cache> cache = choose_cache(options.cache, profile);
  if (!cache) return cache.error();
  std::optional<uint64_t> page = parse_byte_size(options.page);
  if (!page)
    return make_error(ErrorCode::kInvalidArgument, "--page {} is not a size such as 4K or 2M", options.page);
  map::Options wanted = options.map;
  wanted.cache = *cache;
  wanted.page_bytes = options.sets ? cache->line_bytes : *page;
  return map::find_map(profile, wanted, resolver);
}

Result<Mapped> map_cache(const MapOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = load_profile(options.input, resolver, kDataObjects, options.reading);
  if (!profile) return profile.error();
  Result<map::Map> map = map_of(*profile, options, &resolver);
  if (!map) return map.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Mapped{*std::move(profile), std::move(totals), *std::move(map)};
}

Result<Sized> find_sizes(const SizesOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.details = true;
  if (options.sizes.by == sizes::By::kObject) needs = kDataObjects;
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs, options.reading);
  if (!profile) return profile.error();
  Result<sizes::Sizes> result = sizes::find_sizes(*profile, resolver, options.sizes);
  if (!result) return result.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Sized{*std::move(profile), std::move(totals), *std::move(result)};
}

}  // namespace hm::query
