// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "analysis/fleet/naming.h"
#include "base/json.h"

namespace hm::json {

// {"places", "unnamed", "more", "builds_without_debug_file": [ID...], "problems": [...]}; null if no names
// were looked up.
[[nodiscard]] inline nlohmann::ordered_json naming_json(const std::optional<fleet::Naming>& naming) {
  if (!naming) return {};
  return {{"places", naming->places},
          {"unnamed", naming->unnamed},
          {"more", naming->more},
          {"builds_without_debug_file", naming->unknown},
          {"problems", naming->problems}};
}

}  // namespace hm::json
