// SPDX-License-Identifier: MIT
#include "view/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hm::text {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Returns the number of bytes of the code point that starts `text`, 0 if it is invalid.
size_t code_point_bytes(std::string_view text) {
  auto lead = static_cast<unsigned char>(text.front());
  size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size > text.size()) return 0;
  for (size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return 0;
  }
  return size;
}

// Returns the offset of the code point at `index`.
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

std::string bytes_text(double bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  int digits = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", bytes, digits, kUnits[unit]);
}

std::string duration_text(double ns) {
  return ns < 1e3   ? fmt::format("{:.0f} ns", ns)
         : ns < 1e6 ? fmt::format("{:.4g} us", ns / 1e3)
         : ns < 1e9 ? fmt::format("{:.4g} ms", ns / 1e6)
                    : fmt::format("{:.4g} s", ns / 1e9);
}

std::string time_text(double amount, profile::TimeUnit unit) {
  if (unit == profile::TimeUnit::kNanoseconds) return duration_text(amount);
  return amount < 1e4   ? fmt::format("{:.0f} cycles", amount)
         : amount < 1e6 ? fmt::format("{:.4g} kcycles", amount / 1e3)
         : amount < 1e9 ? fmt::format("{:.4g} Mcycles", amount / 1e6)
                        : fmt::format("{:.4g} Gcycles", amount / 1e9);
}

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

std::string wrapped(std::string_view text, size_t columns, size_t indent) {
  std::string out;
  size_t room = columns;
  while (columns != 0 && columns_of(text) > room) {
    size_t first_word = text.find_first_not_of(' ');
    size_t end = text.rfind(' ', byte_of(text, room));
    if (end == std::string_view::npos || end < first_word) end = text.find(' ', first_word);
    if (end == std::string_view::npos) break;
    out += fmt::format("{}\n{}", text.substr(0, end), std::string(indent, ' '));
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
    room = columns > indent ? columns - indent : columns;
  }
  return out + std::string(text);
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
