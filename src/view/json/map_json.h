// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/cache_map.h"
#include "profile/profile.h"

namespace hm::json {

[[nodiscard]] std::string map_json(const profile::Profile& profile, const map::Map& map);
// For a map of running processes, which has no recording.
[[nodiscard]] std::string map_json(const map::Map& map);

}  // namespace hm::json
