// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analysis/cause/cause.h"
#include "analysis/occupancy/occupancy_over_time.h"
#include "profile/profile.h"

namespace hm::json {

// `over_time`: occupancy of the last-level cache, if the recording has it.
[[nodiscard]] std::string causes_json(const profile::Profile& profile, const cause::Causes& result,
                                      const std::optional<occupancy::OverTime>& over_time);

}  // namespace hm::json
