// SPDX-License-Identifier: MIT
// A set of small numbers that finds the nearest member below or above a number in a few steps. It is a bit
// array, with a higher level in which each bit marks a non-empty word. Zeroed memory is an empty set.
// Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

template <uint32_t kBits>
class BitLevels {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  void set(uint32_t bit) {
    uint64_t& word = words_[bit / 64];
    if (word == 0) above_.set(bit / 64);
    word |= uint64_t{1} << bit % 64;
  }
  void clear(uint32_t bit) {
    uint64_t& word = words_[bit / 64];
    word &= ~(uint64_t{1} << bit % 64);
    if (word == 0) above_.clear(bit / 64);
  }
  [[nodiscard]] bool has(uint32_t bit) const { return (words_[bit / 64] >> bit % 64 & 1) != 0; }

  // Returns the highest member that is at most `bit`, or kNone.
  [[nodiscard]] uint32_t last_up_to(uint32_t bit) const {
    uint32_t at = bit / 64;
    uint64_t here = words_[at] & ~uint64_t{0} >> (63 - bit % 64);
    if (here == 0) {
      at = at == 0 ? kNone : above_.last_up_to(at - 1);
      if (at == kNone) return kNone;
      here = words_[at];
    }
    return at * 64 + 63 - static_cast<uint32_t>(__builtin_clzll(here));
  }
  // Returns the lowest member that is at least `bit`, or kNone.
  [[nodiscard]] uint32_t first_from(uint32_t bit) const {
    if (bit >= kBits) return kNone;
    uint32_t at = bit / 64;
    uint64_t here = words_[at] & ~uint64_t{0} << bit % 64;
    if (here == 0) {
      at = above_.first_from(at + 1);
      if (at == kNone) return kNone;
      here = words_[at];
    }
    return at * 64 + static_cast<uint32_t>(__builtin_ctzll(here));
  }

 private:
  static constexpr uint32_t kWords = kBits / 64;

  uint64_t words_[kWords];
  BitLevels<(kWords + 63) / 64 * 64> above_;
};

// A single word needs no higher level.
template <>
class BitLevels<64> {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  void set(uint32_t bit) { word_ |= uint64_t{1} << bit; }
  void clear(uint32_t bit) { word_ &= ~(uint64_t{1} << bit); }
  [[nodiscard]] bool has(uint32_t bit) const { return (word_ >> bit & 1) != 0; }
  [[nodiscard]] uint32_t last_up_to(uint32_t bit) const {
    uint64_t here = word_ & ~uint64_t{0} >> (63 - bit);
    return here == 0 ? kNone : 63 - static_cast<uint32_t>(__builtin_clzll(here));
  }
  [[nodiscard]] uint32_t first_from(uint32_t bit) const {
    uint64_t here = bit >= 64 ? 0 : word_ & ~uint64_t{0} << bit;
    return here == 0 ? kNone : static_cast<uint32_t>(__builtin_ctzll(here));
  }

 private:
  uint64_t word_;
};

}  // namespace hm::soft
