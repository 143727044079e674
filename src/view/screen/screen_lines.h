// SPDX-License-Identifier: MIT
// Text on a screen: measuring its width, and fitting it to a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "view/screen/picture.h"

namespace hm::screen {

// Returns the text if it is at most `columns` wide; otherwise a prefix that ends with "…".
[[nodiscard]] std::string marked(std::string_view text, size_t columns);
// Returns the lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);
// Pads with spaces behind (to_left) or before (to_right) the text, or cuts it as marked() does, to a width of
// exactly `columns`. Text from right to left does not reorder the columns behind it (text::in_columns()).
[[nodiscard]] std::string to_left(std::string_view text, size_t columns);
[[nodiscard]] std::string to_right(std::string_view text, size_t columns);
// Breaks each line that is wider than `columns` into several lines.
[[nodiscard]] std::vector<std::string> wrapped_lines(const std::string& text, size_t columns);
// Removes pieces outside of the screen, so that the terminal does not wrap lines. The last piece of a line
// that extends beyond the screen ends with "…".
void mark_cuts(Size size, Picture& picture);
// Replaces each mark "…" by "+", as top(1) marks cuts, for terminals without Unicode.
void mark_in_ascii(Picture& picture);
// Applies a key that is pressed while a line is typed. Characters arrive one byte of UTF-8 at a time.
void type_into(std::string& text, int key);
// Returns whether the key scrolls a list of lines. `page` is the number of lines on a page, `scroll` the
// number of lines above the screen.
bool scroll_by(int key, size_t page, size_t& scroll);

}  // namespace hm::screen
