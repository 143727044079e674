// SPDX-License-Identifier: MIT
// Bit-fields of a 64-bit word, as a C compiler lays them out: from the lowest bit up on a little-endian
// machine, from the highest bit down on a big-endian machine. This code runs on little-endian machines, so a
// recording in the other byte order comes from a big-endian machine.
#pragma once

#include <bit>
#include <cstdint>

namespace hm::record {

static_assert(std::endian::native == std::endian::little);

struct BitField {
  unsigned shift;
  unsigned width;

  [[nodiscard]] constexpr uint64_t mask() const { return (uint64_t{1} << width) - 1; }
  // `word` is already in this machine's byte order; `swapped` is true if the recording has the other byte
  // order.
  [[nodiscard]] constexpr uint64_t get(uint64_t word, bool swapped) const {
    return (word >> (swapped ? 64 - shift - width : shift)) & mask();
  }
  [[nodiscard]] constexpr uint64_t put(uint64_t value) const { return (value & mask()) << shift; }
};

}  // namespace hm::record
