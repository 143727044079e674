// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include <algorithm>

#include "base/json.h"

namespace hm {

std::string utf8(std::string_view text) {
  if (std::ranges::all_of(text, [](char each) { return static_cast<unsigned char>(each) < 0x80; }))
    return std::string(text);
  return parse_json(json_line(nlohmann::json(text))).get<std::string>();
}

}  // namespace hm
