// SPDX-License-Identifier: MIT
#include "base/hex.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

namespace hm {

std::string hex_of(Bytes bytes) {
  std::string digits;
  for (std::byte byte : bytes)
    fmt::format_to(std::back_inserter(digits), "{:02x}", static_cast<unsigned>(byte));
  return digits;
}

std::optional<std::vector<std::byte>> bytes_of_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < digits.size(); i += 2) {
    constexpr int kBase = 16;
    uint8_t byte = 0;
    const char* behind = digits.data() + i + 2;
    auto [end, error] = std::from_chars(digits.data() + i, behind, byte, kBase);
    if (error != std::errc() || end != behind) return std::nullopt;
    bytes.push_back(std::byte{byte});
  }
  return bytes;
}

}  // namespace hm
