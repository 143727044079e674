// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "base/bytes.h"

namespace hm::symbol {

// The top of a thread's stack as it was when a sample was taken, in this machine's byte order. Other memory
// is not known.
class StackCopy {
 public:
  // `address`: of the first byte, where the stack pointer pointed.
  StackCopy(uint64_t address, Bytes bytes) : address_(address), bytes_(bytes) {}

  // The `size` bytes (at most 8) at `address`, zero-extended; nullopt where they were not copied.
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
