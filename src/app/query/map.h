// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/map.h"
#include "analysis/sizes/sizes.h"
#include "analysis/totals/totals.h"
#include "app/query/cache_choice.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct MapOptions {
  std::string input = "perf.data";  // load_profile()
  Reading reading;                  // likewise
  CacheWords cache;
  std::string page = "4K";  // what the cache is cut by
  bool sets = false;        // each set by itself instead
  map::Options map;         // but for its cache and page
};

struct Mapped {
  profile::Profile profile;
  totals::Totals totals;
  map::Map map;
};

// Which parts of a cache are crowded, when, and with what: of a profile with data objects.
[[nodiscard]] Result<map::Map> map_of(const profile::Profile& profile, const MapOptions& options);
// Of a recording.
[[nodiscard]] Result<Mapped> map_cache(const MapOptions& options, const symbol::Resolver& resolver);

struct SizesOptions {
  std::string input = "perf.data";  // load_profile()
  Reading reading;                  // likewise
  sizes::Options sizes;
};

struct Sized {
  profile::Profile profile;
  totals::Totals totals;
  sizes::Sizes sizes;
};

// How many misses a cache of each size would have.
[[nodiscard]] Result<Sized> find_sizes(const SizesOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
