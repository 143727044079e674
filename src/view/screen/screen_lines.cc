// SPDX-License-Identifier: MIT
#include "view/screen/screen_lines.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "view/text/format.h"

namespace hm::screen {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream rest(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(rest, line);) lines.push_back(std::move(line));
  return lines;
}

std::string marked(std::string_view text, size_t columns) {
  if (text::columns_of(text) <= columns || columns == 0) return text::begun(text, columns);
  return text::begun(text, columns - 1) + "…";
}

std::string to_left(std::string_view text, size_t columns) {
  std::string out = text::in_columns(marked(text, columns));
  return out.append(columns - text::columns_of(out), ' ');
}

std::string to_right(std::string_view text, size_t columns) {
  std::string out = text::in_columns(marked(text, columns));
  return out.insert(0, columns - text::columns_of(out), ' ');
}

std::vector<std::string> wrapped_lines(const std::string& text, size_t columns) {
  constexpr size_t kIndent = 4;
  std::vector<std::string> all;
  for (const std::string& line : lines_of(text))
    std::ranges::move(lines_of(text::wrapped(line, columns, kIndent)), std::back_inserter(all));
  return all;
}

void mark_cuts(Size size, Picture& picture) {
  std::erase_if(picture,
                [size](const Piece& piece) { return piece.row >= size.rows || piece.column > size.columns; });
  for (Piece& piece : picture) {
    if (piece.column + text::columns_of(piece.text) <= size.columns) continue;
    bool fits_mark = piece.column < size.columns;
    if (!fits_mark) --piece.column;  // over the end of the piece before
    piece.text = marked(piece.text, size.columns - piece.column);
  }
}

void mark_in_ascii(Picture& picture) {
  constexpr std::string_view kMark = "…";
  for (Piece& piece : picture) {
    for (size_t at = piece.text.find(kMark); at != std::string::npos; at = piece.text.find(kMark, at + 1))
      piece.text.replace(at, kMark.size(), "+");
  }
}

void type_into(std::string& text, int key) {
  if (key == kBackspace) {
    while (!text.empty() && is_continuation(text.back())) text.pop_back();
    if (!text.empty()) text.pop_back();
  } else if (key >= ' ' && key < 256) {
    text += static_cast<char>(key);
  }
}

bool scroll_by(int key, size_t page, size_t& scroll) {
  switch (key) {
    case kUp:
      scroll -= std::min<size_t>(scroll, 1);
      return true;
    case kPageUp:
      scroll -= std::min(scroll, page);
      return true;
    case kDown:
      ++scroll;
      return true;
    case kPageDown:
      scroll += page;
      return true;
    default:
      return false;
  }
}

}  // namespace hm::screen
