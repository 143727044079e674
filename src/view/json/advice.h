// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "analysis/cause/advice.h"
#include "base/json.h"

namespace hm::json {

// {"pattern", "remedy", "gain": {"low", "high", "why"}}. The result or "gain" is null if it is missing.
[[nodiscard]] inline nlohmann::ordered_json advice_json(const std::optional<cause::Advice>& advice) {
  using Json = nlohmann::ordered_json;
  if (!advice) return {};
  Json json{{"pattern", cause::name_of(advice->pattern)}, {"remedy", cause::remedy_of(*advice)}};
  json["gain"] =
      !advice->gain
          ? Json()
          : Json{{"low", advice->gain->low}, {"high", advice->gain->high}, {"why", advice->gain->why}};
  return json;
}

}  // namespace hm::json
