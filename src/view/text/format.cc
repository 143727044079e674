// SPDX-License-Identifier: MIT
#include "view/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/characters.h"

namespace hm::text {
namespace {

// Returns the length in bytes of the longest prefix that is at most `columns` wide.
size_t bytes_within(std::string_view text, size_t columns) {
  size_t bytes = 0;
  while (!text.empty()) {
    Character character = take_character(text);
    size_t more = columns_of_character(character.code_point);
    if (more > columns) break;
    columns -= more;
    bytes += character.bytes;
  }
  return bytes;
}

// Returns the longest end of a text of `all` columns that is at most `columns` wide. It does not begin with a
// combining character.
std::string_view end_within(std::string_view text, size_t all, size_t columns) {
  while (!text.empty()) {
    std::string_view behind = text;
    size_t first = columns_of_character(take_character(behind).code_point);
    if (all <= columns && first != 0) break;
    all -= first;
    text = behind;
  }
  return text;
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
  while (!text.empty()) columns += columns_of_character(take_character(text).code_point);
  return columns;
}

std::string begun(std::string_view text, size_t columns) {
  return std::string(text.substr(0, bytes_within(text, columns)));
}

std::string elided(std::string_view text, size_t columns) {
  size_t all = columns_of(text);
  if (all <= columns) return std::string(text);
  if (columns == 0) return {};
  size_t back = (columns - 1) / 2;
  return fmt::format("{}…{}", begun(text, columns - 1 - back), end_within(text, all, back));
}

std::string in_columns(std::string text) {
  if (has_right_to_left(text)) text += "\u200e";
  return text;
}

std::string wrapped(std::string_view text, size_t columns, size_t indent) {
  std::string out;
  size_t room = columns;
  while (columns != 0 && columns_of(text) > room) {
    size_t first_word = text.find_first_not_of(' ');
    size_t end = text.rfind(' ', bytes_within(text, room));
    if (end == std::string_view::npos || end < first_word) end = text.find(' ', first_word);
    if (end == std::string_view::npos) break;
    out += fmt::format("{}\n{}", text.substr(0, end), std::string(indent, ' '));
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
    room = columns > indent ? columns - indent : columns;
  }
  return out + std::string(text);
}

std::string printable(std::string_view text) { return escaped(text, "?"); }

std::string printable_lines(std::string_view text, size_t columns) {
  constexpr size_t kIndent = 4;
  std::string out;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    out += wrapped(printable(text.substr(0, end)), columns, kIndent);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace hm::text
