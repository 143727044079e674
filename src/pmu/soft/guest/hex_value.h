// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace hm::soft::guest {

// Returns the number of hexadecimal digits, also after "0x"; 0 if there are none.
inline uint64_t hex_value(std::string_view digits) {
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

}  // namespace hm::soft::guest
