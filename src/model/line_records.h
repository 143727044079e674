// SPDX-License-Identifier: MIT
// What is remembered of every line that the first level ever asked the lower ones for. Freestanding.
//
// A sparse table by line number: two levels of pointers and leaves of records, made as they are needed. Eight
// bytes for each 64 of memory that the program uses.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/recency_log.h"

namespace hm::model {

// Zeroed memory that is never given back; null where there is none.
using MemorySource = void* (*)(uint64_t bytes);

struct LineRecord {
  RecencyLog::Time l2_use = RecencyLog::kNever;
  RecencyLog::Time l3_use = RecencyLog::kNever;
};

class LineRecords {
 public:
  LineRecords() = default;
  LineRecords(MemorySource more, Arena& arena) : more_(more), root_(arena.take<Branch*>(kFanOut)) {}

  // Null where there is no memory for it, or the line lies in no user's address space.
  [[nodiscard]] [[gnu::always_inline]] LineRecord* of(uint64_t line) {
    if (line >> kLeafBits != last_) [[unlikely]] {
      if (!find_leaf(line >> kLeafBits)) return nullptr;
    }
    return &last_leaf_->records[line % kLeafRecords];
  }

  // Calls visit(record) for all that there are.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint64_t i = 0; i < kFanOut; ++i) {
      if (root_[i] == nullptr) continue;
      for (Leaf* leaf : root_[i]->leaves) {
        if (leaf == nullptr) continue;
        for (LineRecord& record : leaf->records) visit(record);
      }
    }
  }

 private:
  static constexpr unsigned kLeafBits = 12;
  static constexpr unsigned kFanOutBits = (kLineNumberBits - kLeafBits) / 2;
  static_assert(kLeafBits + 2 * kFanOutBits == kLineNumberBits);
  static constexpr uint64_t kLeafRecords = uint64_t{1} << kLeafBits;
  static constexpr uint64_t kFanOut = uint64_t{1} << kFanOutBits;

  struct Leaf {
    LineRecord records[kLeafRecords];
  };
  struct Branch {
    Leaf* leaves[kFanOut];
  };

  template <typename Node>
  [[nodiscard]] bool make(Node*& node) const {
    if (node == nullptr) node = static_cast<Node*>(more_(sizeof(Node)));
    return node != nullptr;
  }

  [[gnu::noinline]] bool find_leaf(uint64_t number) {
    if (number >> (2 * kFanOutBits) != 0) return false;
    Branch*& branch = root_[number >> kFanOutBits];
    if (!make(branch)) return false;
    Leaf*& leaf = branch->leaves[number % kFanOut];
    if (!make(leaf)) return false;
    last_ = number;
    last_leaf_ = leaf;
    return true;
  }

  MemorySource more_ = nullptr;
  Branch** root_ = nullptr;
  uint64_t last_ = ~uint64_t{0};
  Leaf* last_leaf_ = nullptr;
};

}  // namespace hm::model
