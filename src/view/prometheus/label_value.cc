// SPDX-License-Identifier: MIT
#include "view/prometheus/label_value.h"

#include "base/characters.h"

namespace hm::prometheus {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Control characters of ISO 6429 (C0, DEL, C1).
bool is_control_code(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

}  // namespace

std::string label_value(std::string_view name) {
  std::string value;
  while (!name.empty()) {
    Character first = first_character(name);
    std::string_view character = name.substr(0, first.bytes);
    name.remove_prefix(first.bytes);
    if (!first.valid || is_control_code(first.code_point)) character = kReplacement;
    if (value.size() + character.size() > kMaxLabelBytes) break;
    value += character;
  }
  return value.empty() ? "unnamed" : value;
}

}  // namespace hm::prometheus
