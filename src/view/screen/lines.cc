// SPDX-License-Identifier: MIT
#include "view/screen/lines.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "view/text/format.h"

namespace hm::screen {
namespace {

struct CodePoints {
  char32_t first, last;
};
// Whole Unicode blocks: a mixed block has the width of most of its characters.
constexpr CodePoints kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr CodePoints kOntoTheLast[] = {
    {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

template <size_t N>
bool is_among(const CodePoints (&all)[N], char32_t point) {
  return std::ranges::any_of(
      all, [point](const CodePoints& each) { return point >= each.first && point <= each.last; });
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Removes the first code point and returns its width.
size_t take_width(std::string_view& text) {
  auto lead = static_cast<unsigned char>(text.front());
  char32_t point = lead < 0x80 ? lead : lead < 0xe0 ? lead & 0x1fu : lead < 0xf0 ? lead & 0xfu : lead & 0x7u;
  text.remove_prefix(1);
  for (; !text.empty() && is_continuation(text.front()); text.remove_prefix(1))
    point = point << 6 | (static_cast<unsigned char>(text.front()) & 0x3fu);
  return is_among(kOntoTheLast, point) ? 0 : is_among(kWide, point) ? 2 : 1;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream rest(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(rest, line);) lines.push_back(std::move(line));
  return lines;
}

size_t width_of(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) width += take_width(text);
  return width;
}

std::string cut(std::string_view text, size_t columns) {
  std::string_view rest = text;
  size_t bytes = 0, width = 0;
  while (!rest.empty()) {
    width += take_width(rest);
    if (width > columns) break;
    bytes = text.size() - rest.size();
  }
  return std::string(text.substr(0, bytes));
}

std::string marked(std::string_view text, size_t columns) {
  if (width_of(text) <= columns || columns == 0) return cut(text, columns);
  return cut(text, columns - 1) + "…";
}

std::string to_left(std::string_view text, size_t columns) {
  std::string out = cut(text, columns);
  return out.append(columns - width_of(out), ' ');
}

std::string to_right(std::string_view text, size_t columns) {
  std::string out = cut(text, columns);
  return out.insert(0, columns - width_of(out), ' ');
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
    if (piece.column + width_of(piece.text) <= size.columns) continue;
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
