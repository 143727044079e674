// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/map.h"
#include "base/result.h"
#include "profile/profile.h"

namespace hm::query {

// Which cache is asked about.
struct CacheWords {
  std::string level = "l2";  // l1i, l1d, l2 or l3 of the machine that the recording tells of
  std::string cache;         // or another: "1M,16,64", as SIZE,WAYS,LINE
};

// kNotFound where the recording does not tell of that level; kInvalidArgument where the words make no sense.
[[nodiscard]] Result<map::Cache> choose_cache(const CacheWords& words, const profile::Profile& profile);

}  // namespace hm::query
