// SPDX-License-Identifier: MIT
// Keeps the facts of allocation sites until a sample refers to one. Only then the site gets a number in the
// recording and its record is written, because most sites of a program occur in no sample. Thread-safe.
// Freestanding.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/sampling/heap_layer.h"
#include "pmu/soft/sampling/heap_site_record.h"
#include "pmu/soft/sampling/piece_pool.h"

namespace hm::soft {

template <HeapPlatform Platform>
class HeapSiteStore {
 public:
  static constexpr uint32_t kMost = 1u << 17;

  bool make() {
    sites_ = static_cast<Kept**>(Platform::map_pages(kMost * sizeof(void*)));
    return sites_ != nullptr;
  }

  // Returns the site's index in this store, from 1; 0 if the store is full.
  uint32_t keep(const HeapSiteFacts& facts) {
    StackCopy stack;
    copy_stack(facts.registers.sp, stack);
    LockGuard<Lock> guard(lock_);
    if (count_ + 1 == kMost) return 0;
    auto* kept = static_cast<Kept*>(pool_.take(sizeof(Kept) + stack.count, kPoolBytes, Platform::map_pages));
    if (kept == nullptr) return 0;
    kept->facts = facts;
    kept->stack_bytes = stack.count;
    __builtin_memcpy(kept + 1, stack.bytes, stack.count);
    sites_[++count_] = kept;
    return count_;
  }

  // Returns the number in the recording of the site with this index. If it has none yet, next() provides an
  // unused number, and write(number, facts, stack) writes the site's record.
  template <typename Next, typename Write>
  uint32_t number_of(uint32_t place, Next next, Write write) {
    if (place == 0) return 0;
    LockGuard<Lock> guard(lock_);
    Kept& kept = *sites_[place];
    if (kept.number != 0) return kept.number;
    kept.number = next();
    StackCopy stack;
    stack.count = kept.stack_bytes;
    __builtin_memcpy(stack.bytes, &kept + 1, kept.stack_bytes);
    write(kept.number, kept.facts, stack);
    return kept.number;
  }

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  using Lock = typename Platform::Lock;
  static constexpr uint64_t kPoolBytes = 1u << 20;

  struct Kept {  // followed by the stack's bytes
    HeapSiteFacts facts;
    uint64_t stack_bytes;
    uint32_t number;
  };

  Kept** sites_ HM_POINTEE_GUARDED_BY(lock_) = nullptr;
  uint32_t count_ HM_GUARDED_BY(lock_) = 0;
  PiecePool pool_ HM_GUARDED_BY(lock_);
  Lock lock_;
};

}  // namespace hm::soft
