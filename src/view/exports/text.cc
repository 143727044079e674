// SPDX-License-Identifier: MIT
#include "view/exports/text.h"

#include "base/characters.h"
#include "base/json.h"

namespace hm::exports {
std::string one_line(std::string_view text) { return escaped(text); }

std::string json_text(std::string_view text) { return json_line(nlohmann::json(text)); }

}  // namespace hm::exports
