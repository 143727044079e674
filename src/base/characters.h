// SPDX-License-Identifier: MIT
// Characters of UTF-8 text: their columns on a terminal, and the ones that a terminal would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hm {

struct Character {
  char32_t code_point = 0xfffd;  // U+FFFD if the text is not valid UTF-8
  size_t bytes = 1;
  bool valid = false;
};

// Returns the first character of a text that is not empty. Of invalid UTF-8 it returns a single byte.
[[nodiscard]] Character first_character(std::string_view text);
// Returns the first character of a text that is not empty, and removes it from the text.
Character take_character(std::string_view& text);

// Returns the number of terminal columns of a character: 2 for East Asian wide characters and most emoji, 0
// for combining and formatting characters, else 1. A sequence of emoji has the sum of its characters'
// columns.
//
// The table is Unicode's (scripts/character_widths.py), not wcwidth(3): without a UTF-8 locale, as in many
// containers, wcwidth(3) knows no character beyond ASCII, and its answers change with the C library.
[[nodiscard]] size_t columns_of_character(char32_t code_point);

// Returns whether the text has a character that is written from right to left (blocks of UAX 9's classes R
// and AL).
[[nodiscard]] bool has_right_to_left(std::string_view text);

// Returns whether a terminal obeys the character (ISO 6429: C0, DEL, C1) or it changes the order or the lines
// of the text around it (UAX 9's formatting characters, U+2028 and U+2029).
[[nodiscard]] bool is_control(char32_t code_point);

// Replaces control characters by escape sequences ("\x1b", "\u202e") and invalid UTF-8 by `invalid`.
[[nodiscard]] std::string escaped(std::string_view text, std::string_view invalid = "\ufffd");

}  // namespace hm
