// SPDX-License-Identifier: MIT
#include "lsp/document.h"

#include <algorithm>
#include <charconv>

#include "base/characters.h"

namespace hm::lsp {
namespace {

// Returns the byte that "%41" stands for; nullopt if these are no hexadecimal digits.
std::optional<char> escaped_byte(std::string_view digits) {
  unsigned value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) return std::nullopt;
  return static_cast<char>(value);
}

// Removes the first line from the text, and returns it without its end.
std::string_view take_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(line.size());
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<size_t>(1, text.size()));
  return line;
}

}  // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://", kHost = "localhost";
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with(kHost)) uri.remove_prefix(kHost.size());
  if (!uri.starts_with('/')) return std::nullopt;
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path.push_back(uri[i]);
      continue;
    }
    std::optional<char> byte = escaped_byte(uri.substr(i + 1, 2));
    if (!byte) return std::nullopt;
    path.push_back(*byte);
    i += 2;
  }
  return path.find('\0') == std::string::npos ? std::optional(path) : std::nullopt;
}

size_t utf16_units(std::string_view text) {
  constexpr char32_t kLastOfOneUnit = 0xffff;
  size_t units = 0;
  while (!text.empty()) units += take_character(text).code_point > kLastOfOneUnit ? 2 : 1;
  return units;
}

std::optional<Span> span_of_line(std::string_view text, uint32_t line) {
  constexpr std::string_view kBlanks = " \t";
  for (uint32_t i = 1; i < line && !text.empty(); ++i) take_line(text);
  if (line == 0 || text.empty()) return std::nullopt;
  std::string_view found = take_line(text);
  size_t begin = std::min(found.find_first_not_of(kBlanks), found.size());
  size_t end = found.find_last_not_of(kBlanks) + 1;  // 0 if there is none
  return Span{utf16_units(found.substr(0, begin)), utf16_units(found.substr(0, std::max(begin, end)))};
}

}  // namespace hm::lsp
