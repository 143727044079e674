// SPDX-License-Identifier: MIT
// Pages of guests: in several address spaces, and of two sizes. Freestanding.
#pragma once

#include <stdint.h>

#include "model/geometry.h"

namespace hm::model {

// The mark of an address in a page of 2 MiB. Addresses of programs do not have it.
inline constexpr unsigned kLargePageMark = 63, kLargePageShift = 21;

// Lines of programs have no more than kLineNumberBits bits. Those of a guest may have a tag of their address
// space, or the mark of a large page, above them.
constexpr bool is_tagged_line(uint64_t line) { return line >> kLineNumberBits != 0; }

// Returns the number of a tagged line's page. TLBs keep numbers of few bits: the lowest are those of the
// address, which choose the set, and the others are mixed. Of two pages of one set, two of 2^23 have the same
// number.
constexpr uint64_t number_of_tagged_page(uint64_t line, unsigned line_shift, unsigned page_shift) {
  constexpr unsigned kTrueBits = 12;
  constexpr uint64_t kTrue = (uint64_t{1} << kTrueBits) - 1;
  bool is_large = (line >> (kLargePageMark - line_shift) & 1) != 0;
  uint64_t number = line >> ((is_large ? kLargePageShift : page_shift) - line_shift);
  uint64_t mixed = (number >> kTrueBits) * 0x9e37'79b9'7f4a'7c15u >> (64 - (kPageNumberBits - kTrueBits));
  return uint64_t{1} << kPageNumberBits | mixed << kTrueBits | (number & kTrue);
}

}  // namespace hm::model
