// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/cache_map.h"
#include "analysis/sizes/size_curves.h"
#include "analysis/totals/totals.h"
#include "app/query/cache_choice.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct MapOptions {
  std::string input = "perf.data";  // for load_profile()
  Reading reading;                  // for load_profile()
  CacheChoice cache;
  std::string page = "4K";  // page size that divides the cache into regions
  bool sets = false;        // one region per set instead
  map::Options map;         // its cache and page size are ignored
};

struct Mapped {
  profile::Profile profile;
  totals::Totals totals;
  map::Map map;
};

// Returns the cache map of a profile, which must have data objects.
// `resolver`: not null if the filter's function may be inlined.
[[nodiscard]] Result<map::Map> map_of(const profile::Profile& profile, const MapOptions& options,
                                      const symbol::Resolver* resolver = nullptr);
// Returns the cache map of a recording.
[[nodiscard]] Result<Mapped> map_cache(const MapOptions& options, const symbol::Resolver& resolver);

struct SizesOptions {
  std::string input = "perf.data";  // for load_profile()
  Reading reading;                  // for load_profile()
  sizes::Options sizes;
};

struct Sized {
  profile::Profile profile;
  totals::Totals totals;
  sizes::Sizes sizes;
};

// Returns the miss curves of a recording.
[[nodiscard]] Result<Sized> find_sizes(const SizesOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
