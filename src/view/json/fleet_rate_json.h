// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "analysis/fleet/rate.h"
#include "base/json.h"

namespace hm::json {

// {"value", "low", "high"}; the limits are null if unknown.
[[nodiscard]] inline nlohmann::ordered_json with_limits(double value,
                                                        const std::optional<fleet::Interval>& limits) {
  using Json = nlohmann::ordered_json;
  return {{"value", value},
          {"low", limits ? Json(limits->low) : Json()},
          {"high", limits ? Json(limits->high) : Json()}};
}

[[nodiscard]] inline nlohmann::ordered_json rate_json(const std::optional<fleet::Rate>& rate) {
  return rate ? with_limits(rate->value, rate->limits) : nlohmann::ordered_json();
}

}  // namespace hm::json
