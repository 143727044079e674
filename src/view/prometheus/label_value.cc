// SPDX-License-Identifier: MIT
#include "view/prometheus/label_value.h"

#include <cstdint>

namespace hm::prometheus {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Returns how many bytes follow the first byte of a character; -1 if `first` cannot begin a character.
int following_bytes(uint8_t first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first <= 0xDF) return 1;
  if (first >= 0xE0 && first <= 0xEF) return 2;
  if (first >= 0xF0 && first <= 0xF4) return 3;
  return -1;
}

// Some first bytes restrict the second byte, to exclude surrogates, code points beyond U+10FFFF and overlong
// forms (RFC 3629, section 4).
bool may_be_second(uint8_t first, uint8_t second) {
  uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= least && second <= most;
}

// Returns the length of the character that begins `text`, 0 if it is invalid.
size_t character_bytes(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  int following = following_bytes(byte(0));
  if (following < 0 || text.size() <= static_cast<size_t>(following)) return 0;
  if (following > 0 && !may_be_second(byte(0), byte(1))) return 0;
  for (int i = 2; i <= following; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return static_cast<size_t>(following) + 1;
}

bool is_control(std::string_view character) {
  auto first = static_cast<uint8_t>(character[0]);
  bool is_c1 = character.size() == 2 && first == 0xC2 && static_cast<uint8_t>(character[1]) < 0xA0;
  return first < 0x20 || first == 0x7F || is_c1;
}

}  // namespace

std::string label_value(std::string_view name) {
  std::string value;
  while (!name.empty()) {
    size_t bytes = character_bytes(name);
    std::string_view character = name.substr(0, bytes);
    name.remove_prefix(bytes == 0 ? 1 : bytes);
    if (bytes == 0 || is_control(character)) character = kReplacement;
    if (value.size() + character.size() > kMaxLabelBytes) break;
    value += character;
  }
  return value.empty() ? "unnamed" : value;
}

}  // namespace hm::prometheus
