// SPDX-License-Identifier: MIT
// In a file of its own, which needs no library: the guest engine's plugin has none.
#include <charconv>

#include "base/hex.h"

namespace hm {

std::optional<uint64_t> hex_number(std::string_view text) {
  constexpr int kBase = 16;
  if (text.starts_with("0x")) text.remove_prefix(2);
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, kBase);
  bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

}  // namespace hm
