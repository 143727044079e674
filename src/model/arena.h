// SPDX-License-Identifier: MIT
// Storage handed out from one block and never freed. Freestanding: models do not allocate. A model is built
// twice: first with an arena without a block, which only measures the size, then with a zeroed block of this
// size.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hm::model {

class Arena {
 public:
  explicit Arena(void* zeroed_block = nullptr) : block_(static_cast<unsigned char*>(zeroed_block)) {}

  // `count` zeroed objects, aligned to a cache line; null while measuring.
  template <typename T>
  T* take(size_t count) {
    size_t start = (used_ + 63) & ~size_t{63};
    used_ = start + count * sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
    return block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_ + start);
  }

  [[nodiscard]] bool measuring() const { return block_ == nullptr; }
  [[nodiscard]] size_t used_bytes() const { return used_; }

 private:
  unsigned char* block_;
  size_t used_ = 0;
};

}  // namespace hm::model
