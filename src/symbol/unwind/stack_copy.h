// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "base/bytes.h"

namespace hm::symbol {

// A copy of the top of a thread's stack at the time of a sample, in this machine's byte order. Other memory
// is unknown.
class StackCopy {
 public:
  // `address` is that of the first byte: the value of the stack pointer.
  StackCopy(uint64_t address, Bytes bytes) : address_(address), bytes_(bytes) {}

  // Returns the `size` bytes (at most 8) at `address`, zero-extended; nullopt if they are outside the copy.
  [[nodiscard]] std::optional<uint64_t> read(uint64_t address, size_t size = sizeof(uint64_t)) const {
    uint64_t offset = address - address_;
    uint64_t value = 0;
    if (size > sizeof value || offset > bytes_.size() || bytes_.size() - offset < size) return std::nullopt;
    std::memcpy(&value, bytes_.data() + offset, size);
    return value;
  }

 private:
  uint64_t address_;
  Bytes bytes_;
};

}  // namespace hm::symbol
