// SPDX-License-Identifier: MIT
// Hands out zeroed memory in small pieces that are never freed, from large ones. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

class PiecePool {
 public:
  // Returns `bytes` of zeroed memory. map(large_bytes) provides the next large piece; if it returns null, so
  // does this.
  template <typename Map>
  void* take(uint64_t bytes, uint64_t large_bytes, Map map) {
    bytes = (bytes + 15) & ~uint64_t{15};
    if (bytes > left_) {
      next_ = static_cast<char*>(map(large_bytes));
      left_ = next_ == nullptr ? 0 : large_bytes;
      if (bytes > left_) return nullptr;
    }
    char* taken = next_;
    next_ += bytes;
    left_ -= bytes;
    return taken;
  }

 private:
  char* next_ = nullptr;
  uint64_t left_ = 0;
};

}  // namespace hm::soft
