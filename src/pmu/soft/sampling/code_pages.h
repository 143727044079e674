// SPDX-License-Identifier: MIT
// The presence words of all pages of code that a core has run (model/code_filter.h), by page number.
// Freestanding. Used by one thread at a time: the translating one.
#pragma once

#include <stdint.h>

#include "model/code_filter.h"

namespace hm::soft {

class CodePages {
 public:
  // Memory requested at a time: enough for 100 MiB of code with 64-byte lines and 4-KiB pages.
  static constexpr uint64_t kChunkBytes = 8u << 20;

  // Provides zeroed memory, aligned to 8, for the words of further pages. The rest of earlier memory is no
  // longer used.
  void give(void* zeroed, uint64_t bytes) {
    chunk_ = static_cast<uint8_t*>(zeroed);
    left_ = bytes;
  }

  // Returns the words of page `number`, `page_bytes` in total. They are made at the page's first call and
  // never freed. Calls `more(bytes)` if memory is needed; it has to give() at least `bytes`. Returns null if
  // it does not, or beyond 1 GiB of code with 4-KiB pages.
  template <typename More>
  model::CodePage* page(uint64_t number, uint64_t page_bytes, More&& more) {
    uint64_t hash = number * 0x9e3779b97f4a7c15u >> (64 - kTableBits);
    for (uint64_t probe = 0; probe <= kTableMask; ++probe) {
      Known& known = table_[(hash + probe) & kTableMask];
      if (known.number_plus_one == number + 1) return known.page;
      if (known.number_plus_one != 0) continue;
      model::CodePage* made = take(page_bytes, more);
      if (made == nullptr) return nullptr;
      made->number = number;
      known = {number + 1, made};
      return made;
    }
    return nullptr;
  }

 private:
  static constexpr uint32_t kTableBits = 18;
  static constexpr uint64_t kTableMask = (uint64_t{1} << kTableBits) - 1;

  struct Known {
    uint64_t number_plus_one;  // 0: free
    model::CodePage* page;
  };

  template <typename More>
  model::CodePage* take(uint64_t page_bytes, More& more) {
    uint64_t bytes = (page_bytes + 7) & ~uint64_t{7};
    if (left_ < bytes) more(bytes > kChunkBytes ? bytes : kChunkBytes);
    if (left_ < bytes) return nullptr;
    auto* page = reinterpret_cast<model::CodePage*>(chunk_);
    chunk_ += bytes;
    left_ -= bytes;
    return page;
  }

  Known table_[kTableMask + 1] = {};  // open addressing
  uint8_t* chunk_ = nullptr;
  uint64_t left_ = 0;
};

}  // namespace hm::soft
