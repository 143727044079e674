// SPDX-License-Identifier: MIT
// The outcomes of the last branches of a core, newest first. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::model {

class BranchHistory {
 public:
  static constexpr unsigned kBits = 128;

  void add(bool bit) {
    older_ = older_ << 1 | newer_ >> 63;
    newer_ = newer_ << 1 | (bit ? 1 : 0);
  }

  // Mixes the last `length` outcomes, at most kBits, with an address: the high 32 bits of the result depend
  // on all of them.
  [[nodiscard]] uint64_t mixed(unsigned length, uint64_t address) const {
    uint64_t bits = length < 64 ? newer_ & ((uint64_t{1} << length) - 1) : newer_;
    if (length > 64) bits ^= (older_ << (kBits - length)) * kOdd;
    uint64_t mixed = (bits ^ address * kOdd) * kOddToo;
    return (mixed ^ mixed >> 32) * kOdd;
  }

 private:
  // The fractional parts of the golden ratio and of the square root of 3, made odd.
  static constexpr uint64_t kOdd = 0x9e3779b97f4a7c15u, kOddToo = 0xbb67ae8584caa73bu;

  uint64_t newer_ = 0, older_ = 0;
};

}  // namespace hm::model
