// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "analysis/cause/advice.h"
#include "base/json.h"

namespace hm::json {

// {"pattern", "remedy", "basis", "gain": {"low", "high", "of_cycles", "why"}}. The result, "basis", "gain" or
// "of_cycles" is null if it is missing.
[[nodiscard]] inline nlohmann::ordered_json advice_json(const std::optional<cause::Advice>& advice) {
  using Json = nlohmann::ordered_json;
  if (!advice) return {};
  Json json{{"pattern", cause::name_of(advice->pattern)}, {"remedy", cause::remedy_of(*advice)}};
  json["basis"] = advice->basis.empty() ? Json() : Json(advice->basis);
  json["gain"] = Json();
  if (const std::optional<cause::Gain>& gain = advice->gain)
    json["gain"] = Json{{"low", gain->low},
                        {"high", gain->high},
                        {"of_cycles", gain->of_cycles ? Json(*gain->of_cycles) : Json()},
                        {"why", gain->why}};
  return json;
}

}  // namespace hm::json
