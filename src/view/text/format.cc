// SPDX-License-Identifier: MIT
#include "view/text/format.h"

#include <fmt/format.h>

namespace hm::text {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The bytes of the code point that starts `text`; 0 where it is none.
size_t code_point_bytes(std::string_view text) {
  auto lead = static_cast<unsigned char>(text.front());
  size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size > text.size()) return 0;
  for (size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return 0;
  }
  return size;
}

// The byte where the code point `index` begins.
size_t byte_of(std::string_view text, size_t index) {
  size_t byte = 0;
  while (byte < text.size() && index > 0) {
    do ++byte;
    while (byte < text.size() && continues(text[byte]));
    --index;
  }
  return byte;
}

}  // namespace

std::string grouped(uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (size_t place = digits.size(); place > 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

std::string count_of(uint64_t number, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", grouped(number), number == 1 ? singular : plural);
}

std::string percent(double share) { return fmt::format("{:.1f}%", share * 100); }

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  for (char c : text) columns += continues(c) ? 0 : 1;
  return columns;
}

std::string elided(std::string_view text, size_t columns) {
  size_t all = columns_of(text);
  if (all <= columns) return std::string(text);
  if (columns == 0) return {};
  size_t front = (columns - 1 + 1) / 2;
  size_t back = columns - 1 - front;
  return fmt::format("{}…{}", text.substr(0, byte_of(text, front)), text.substr(byte_of(text, all - back)));
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t size = code_point_bytes(text);
    bool control = size == 1 && (static_cast<unsigned char>(text.front()) < 0x20 || text.front() == 0x7f);
    if (size == 0 || control)
      out += '?';
    else
      out += text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

}  // namespace hm::text
