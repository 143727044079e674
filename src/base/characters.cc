// SPDX-License-Identifier: MIT
#include "base/characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>

#include "base/character_widths.h"

namespace hm {
namespace {

// UAX 9's table of default classes, by blocks; the presentation forms without their variation selectors.
constexpr CharacterRange kRightToLeft[] = {
    {0x590, 0x8ff}, {0xfb1d, 0xfdff}, {0xfe70, 0xfefe}, {0x10800, 0x10fff}, {0x1e800, 0x1efff}};

bool is_among(std::span<const CharacterRange> sorted, char32_t code_point) {
  auto behind = std::ranges::upper_bound(sorted, code_point, {}, &CharacterRange::first);
  return behind != sorted.begin() && code_point <= std::prev(behind)->last;
}

// Returns the number of bytes that a lead byte begins, 0 if it begins none.
size_t bytes_after_lead(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

// Returns false for overlong forms and surrogates, and beyond Unicode's last code point.
bool is_scalar(char32_t code_point, size_t bytes) {
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return code_point >= kLeast[bytes] && code_point <= 0x10ffff &&
         (code_point < 0xd800 || code_point > 0xdfff);
}

std::string escape_of(char32_t code_point) {
  auto number = static_cast<uint32_t>(code_point);
  return code_point < 0x80 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

}  // namespace

Character first_character(std::string_view text) {
  auto lead = static_cast<unsigned char>(text.front());
  size_t bytes = bytes_after_lead(lead);
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code_point = bytes == 1 ? lead : lead & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {};
    code_point = code_point << 6 | (byte & 0x3fu);
  }
  if (!is_scalar(code_point, bytes)) return {};
  return {.code_point = code_point, .bytes = bytes, .valid = true};
}

Character take_character(std::string_view& text) {
  Character first = first_character(text);
  text.remove_prefix(first.bytes);
  return first;
}

size_t columns_of_character(char32_t code_point) {
  if (code_point < 0x300) return 1;  // the first combining character
  return is_among(kNoColumn, code_point) ? 0 : is_among(kTwoColumns, code_point) ? 2 : 1;
}

bool has_right_to_left(std::string_view text) {
  while (!text.empty()) {
    if (is_among(kRightToLeft, take_character(text).code_point)) return true;
  }
  return false;
}

bool is_control(char32_t code_point) {
  constexpr CharacterRange kControls[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                                          {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
  return is_among(kControls, code_point);
}

std::string escaped(std::string_view text, std::string_view invalid) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    Character character = first_character(text);
    if (!character.valid)
      out += invalid;
    else if (is_control(character.code_point))
      out += escape_of(character.code_point);
    else
      out += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return out;
}

}  // namespace hm
