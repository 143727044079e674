// SPDX-License-Identifier: MIT
// Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

inline constexpr uint32_t kMaxDecimalDigits = 20;

// Writes the number's digits, without a NUL. Returns the end of the digits.
inline char* write_decimal(char* at, uint64_t number) {
  char reversed[kMaxDecimalDigits];
  uint32_t digits = 0;
  do {
    reversed[digits++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (digits != 0) *at++ = reversed[--digits];
  return at;
}

}  // namespace hm::soft
