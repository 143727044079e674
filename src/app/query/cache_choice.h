// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/cache_map.h"
#include "base/result.h"
#include "profile/profile.h"

namespace hm::query {

// Selects a cache.
struct CacheChoice {
  std::string level = "l2";  // l1i, l1d, l2 or l3 of the recorded machine
  std::string cache;         // or another cache as SIZE,WAYS,LINE: "1M,16,64"
};

// Fails with kNotFound if the recording does not describe that level, and with kInvalidArgument if the choice
// is invalid.
[[nodiscard]] Result<map::Cache> choose_cache(const CacheChoice& choice, const profile::Profile& profile);

}  // namespace hm::query
