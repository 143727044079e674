// SPDX-License-Identifier: MIT
// The blocks that a process has allocated and not freed. Blocks of allocators that the user named lie inside
// blocks of malloc and similar functions, and are searched first. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/heap_layer.h"

namespace hm::soft {

template <HeapPlatform Platform>
class HeapBlocks {
 public:
  // `named`: allocated by an allocator that the user named. Removes older blocks in the range.
  void allocated(uint64_t start, uint64_t bytes, uint32_t site, bool named) {
    if (named) {
      __atomic_store_n(&any_named_, true, __ATOMIC_RELAXED);
      named_.put(start, bytes, site);
      return;
    }
    HeapBlock before;
    if (bytes == 0)
      own_.remove(start, before);
    else
      own_.put(start, bytes, site);
    if (has_named()) named_.remove_in(start, start + bytes);
  }

  // Removes the block and all named blocks inside it.
  void freed(uint64_t start) {
    HeapBlock block;
    if (own_.remove(start, block)) return drop_named(block);
    if (has_named()) named_.remove(start, block);
  }

  // Called around a call that may move the block, which can be found meanwhile. Other threads may allocate
  // its memory before the call returns.
  void begin_move(uint64_t start) { own_.begin_move(start); }
  void cancel_move(uint64_t start) { own_.cancel_move(start); }
  void end_move(uint64_t start) {
    HeapBlock block;
    if (own_.end_move(start, block)) drop_named(block);
  }

  void forget_all() {
    own_.remove_in(0, ~uint64_t{0});
    named_.remove_in(0, ~uint64_t{0});
  }

  bool find(uint64_t address, HeapBlock& found) {
    return (has_named() && named_.find(address, found)) || own_.find(address, found);
  }

  // Calls visit(lock) for each lock, in locking order.
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    own_.for_each_lock(visit);
    named_.for_each_lock(visit);
  }

 private:
  [[nodiscard]] bool has_named() const { return __atomic_load_n(&any_named_, __ATOMIC_RELAXED); }
  void drop_named(const HeapBlock& block) {
    if (has_named()) named_.remove_in(block.start, block.start + block.bytes);
  }

  HeapLayer<Platform> own_;
  HeapLayer<Platform> named_;
  bool any_named_ = false;
};

}  // namespace hm::soft
