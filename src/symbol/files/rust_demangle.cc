// SPDX-License-Identifier: MIT
#include "symbol/files/rust_demangle.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "symbol/files/rust_v0.h"

namespace hm::symbol {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 8> kEscapes{
    {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'}, {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}}};

// Decodes the text between two dollar signs; returns false if it is not an escape.
bool append_escape(std::string& out, std::string_view code) {
  for (auto [name, character] : kEscapes) {
    if (code == name) return out += character, true;
  }
  if (code.size() < 2 || code.front() != 'u') return false;
  unsigned value = 0;
  auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), value, 16);
  if (error != std::errc() || end != code.data() + code.size() || value < 0x20 || value > 0x7e) return false;
  return out += static_cast<char>(value), true;
}

bool append_legacy_segment(std::string& out, std::string_view segment) {
  if (segment.starts_with("_$")) segment.remove_prefix(1);
  while (!segment.empty()) {
    if (segment.starts_with("..")) {
      out += "::";
      segment.remove_prefix(2);
    } else if (segment.front() == '$') {
      size_t end = segment.find('$', 1);
      if (end == std::string_view::npos || !append_escape(out, segment.substr(1, end - 1))) return false;
      segment.remove_prefix(end + 1);
    } else {
      out += segment.front();
      segment.remove_prefix(1);
    }
  }
  return true;
}

bool is_hash(std::string_view segment) {
  return segment.size() == 17 && segment.front() == 'h' &&
         segment.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
}

std::string_view take_segment(std::string_view& rest) {
  size_t size = 0;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
  auto digits = static_cast<size_t>(end - rest.data());
  if (error != std::errc() || size > rest.size() - digits) return {};
  std::string_view segment = rest.substr(digits, size);
  rest.remove_prefix(digits + size);
  return segment;
}

// Only the hash in the last segment distinguishes a legacy Rust name from a C++ name.
std::optional<std::string> demangle_legacy(std::string_view name) {
  std::string_view rest = name.substr(3);
  std::string out;
  while (true) {
    std::string_view segment = take_segment(rest);
    if (segment.empty()) return std::nullopt;
    if (is_hash(segment) && rest.starts_with('E')) break;
    if (!out.empty()) out += "::";
    if (!append_legacy_segment(out, segment)) return std::nullopt;
  }
  bool ends = rest.size() == 1 || rest[1] == '.';
  if (!ends || out.empty()) return std::nullopt;
  return out;
}

}  // namespace

std::optional<std::string> demangle_rust(std::string_view name) {
  if (name.starts_with("_R")) return demangle_rust_v0(name);
  if (name.starts_with("_ZN")) return demangle_legacy(name);
  return std::nullopt;
}

}  // namespace hm::symbol
