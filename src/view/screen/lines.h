// SPDX-License-Identifier: MIT
// Text on a screen: how wide it is, and how it becomes as wide as its place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "view/screen/picture.h"

namespace hm::screen {

// How many columns a terminal needs for UTF-8 text: two for a wide character (East Asian ones, pictures),
// none for one that is put onto the last one (UAX 11, UAX 44).
[[nodiscard]] size_t width_of(std::string_view text);
// The beginning, at most `columns` wide.
[[nodiscard]] std::string cut(std::string_view text, size_t columns);
// Exactly so wide, by spaces behind it or before it.
[[nodiscard]] std::string to_left(std::string_view text, size_t columns);
[[nodiscard]] std::string to_right(std::string_view text, size_t columns);
// Each line that is too long becomes several.
[[nodiscard]] std::vector<std::string> wrapped_lines(const std::string& text, size_t columns);
// What is outside goes, what sticks out is cut, so that a terminal does not wrap it.
void cut_to(Size size, Picture& picture);
// A key that is pressed while a line is typed: characters come one byte of UTF-8 after the other.
void type_into(std::string& text, int key);
// Whether the key moves a list of lines, a page of which is so long; `scroll`: how many are above the screen.
bool scroll_by(int key, size_t page, size_t& scroll);

}  // namespace hm::screen
