// SPDX-License-Identifier: MIT
#include "base/byte_size.h"

#include <fmt/format.h>

#include <charconv>

namespace hm {

std::optional<uint64_t> parse_byte_size(std::string_view text) {
  constexpr uint64_t kMost = uint64_t{1} << 40;
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value == 0 || value > kMost) return std::nullopt;
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  unsigned shift = 0;
  if (unit == "K" || unit == "k")
    shift = 10;
  else if (unit == "M" || unit == "m")
    shift = 20;
  else if (unit == "G" || unit == "g")
    shift = 30;
  else if (!unit.empty())
    return std::nullopt;
  if (value > kMost >> shift) return std::nullopt;
  return value << shift;
}

std::optional<std::vector<uint64_t>> parse_byte_sizes(std::string_view text, size_t most) {
  std::vector<uint64_t> sizes;
  while (true) {
    size_t comma = text.find(',');
    auto size = parse_byte_size(text.substr(0, comma));
    if (!size || sizes.size() == most) return std::nullopt;
    sizes.push_back(*size);
    if (comma == std::string_view::npos) return sizes;
    text.remove_prefix(comma + 1);
  }
}

std::string byte_size_text(uint64_t bytes) {
  if (bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes % (1 << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

}  // namespace hm
