// SPDX-License-Identifier: MIT
#include "view/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

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

constexpr std::string_view kOperator = "operator";
constexpr std::string_view kUnnamedSpace = "(anonymous namespace)";

// Returns the length of the operator's name that begins `text`, for example "operator<<"; 0 if there is none.
size_t operator_bytes(std::string_view text) {
  if (!text.starts_with(kOperator)) return 0;
  std::string_view rest = text.substr(kOperator.size());
  for (std::string_view name :
       {"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "<", ">"}) {
    if (rest.starts_with(name)) return kOperator.size() + name.size();
  }
  return 0;
}

// Returns the number of bytes up to and including the bracket that closes the one at the start of `text`:
// "<char, int>".
size_t bracket_bytes(std::string_view text, char open, char close) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == open ? 1 : text[i] == close ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

// Returns whether a '<' after `name` begins template arguments. Rust's "<Type as Trait>::f" begins with '<'.
bool takes_arguments(std::string_view name) {
  size_t last = name.find_last_not_of(' ');
  if (last == std::string_view::npos) return false;
  bool of_a_name = std::isalnum(static_cast<unsigned char>(name[last])) != 0 || name[last] == '_';
  return last + 1 == name.size() || !of_a_name;  // a space separates an operator from its arguments
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

std::string short_name(std::string_view function) {
  std::string out;
  size_t begin = 0;     // start of the name, behind the return type
  bool parted = false;  // the previous character was a space
  bool has_arguments = false;
  if (function.starts_with('[')) return std::string(function);  // an unnamed location: "[my program+0x10]"
  while (!function.empty()) {
    size_t kept = operator_bytes(function), passed = 0;
    if (kept == 0 && function.starts_with(kUnnamedSpace)) kept = kUnnamedSpace.size();
    if (kept == 0 && function.front() == '{') kept = bracket_bytes(function, '{', '}');
    if (kept == 0 && function.front() == '<')
      (takes_arguments(out) ? passed : kept) = bracket_bytes(function, '<', '>');
    has_arguments = kept == 0 && function.front() == '(';
    if (has_arguments) break;
    if (kept == 0 && passed == 0) kept = 1;
    bool parts = function.front() == ' ' && !out.ends_with(kOperator);
    if (!parts && kept != 0 && parted) begin = out.size();
    parted = parts || (parted && kept == 0);
    out += function.substr(0, kept);
    function.remove_prefix(kept + passed);
  }
  while (out.ends_with(' ')) out.pop_back();
  // Only C++'s demangled functions have their return type in front, and these have parameters. Names from a
  // just-in-time compiler or an interpreter may contain blanks anywhere.
  return has_arguments ? out.substr(begin) : out;
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
