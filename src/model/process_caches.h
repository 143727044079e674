// SPDX-License-Identifier: MIT
// A process's caches, as other processes access them. Freestanding.
//
// A process's models are in its own memory. In this process slot, which all processes can read, it keeps
// which of the common lines (shared_ranges.h) its cores have. Other processes queue invalidations of these
// lines here; one of the process's cores applies them at its next call of the models.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "model/bounded_lock.h"
#include "model/invalidation_queue.h"

namespace hm::model {

// All zeros is a free slot.
class ProcessCaches {
 public:
  // Called by any process.

  [[nodiscard]] bool holds(uint64_t line) const {
    const Bucket& bucket = bucket_of(line);
    for (const uint64_t& entry : bucket.entries) {
      if (line_of(__atomic_load_n(&entry, __ATOMIC_SEQ_CST)) == line) return true;
    }
    return false;
  }
  // The level is unknown here: a line counts as being in the first level.
  [[nodiscard]] bool holds_in_first_level(uint64_t line) const { return holds(line); }
  void downgrade(uint64_t line) { invalidations_.push(line, LineChange::kDowngraded); }
  void invalidate(uint64_t line) { invalidations_.push(line, LineChange::kInvalidated); }
  void flush(uint64_t line) { invalidations_.push(line, LineChange::kFlushed); }
  void recheck_all() { invalidations_.push_all(); }

  // Called by the process that owns the slot.

  // One more of its cores has the line, or is about to have it. If the line's bucket is full, the line counts
  // as not held.
  void bring_in(uint64_t line) {
    LockGuard guard(lock_);
    Bucket& bucket = bucket_of(line);
    uint64_t* place = find(bucket, line);
    if (place == nullptr && (place = find(bucket, kNoLine)) == nullptr) return;
    has_had_lines_ = true;
    uint64_t entry = *place == 0 ? (line + 1) << kCountBits : *place;
    __atomic_store_n(place, entry + 1, __ATOMIC_SEQ_CST);
  }
  // One core less has the line.
  void drop(uint64_t line) {
    LockGuard guard(lock_);
    uint64_t* place = find(bucket_of(line), line);
    if (place == nullptr) return;
    uint64_t entry = *place - 1;
    __atomic_store_n(place, (entry & kCountMask) == 0 ? 0 : entry, __ATOMIC_SEQ_CST);
  }

  // Lines [first, end) have been unmapped: none of the process's cores has them.
  void forget(uint64_t first, uint64_t end) {
    LockGuard guard(lock_);
    if (!has_had_lines_) return;
    const auto forget_in = [&](Bucket& bucket) {
      for (uint64_t& entry : bucket.entries) {
        if (entry != 0 && line_of(entry) >= first && line_of(entry) < end)
          __atomic_store_n(&entry, uint64_t{0}, __ATOMIC_SEQ_CST);
      }
    };
    if (end - first >= kBuckets) {
      for (Bucket& bucket : buckets_) forget_in(bucket);
    } else {
      for (uint64_t line = first; line < end; ++line) forget_in(bucket_of(line));
    }
  }

  [[nodiscard]] bool has_invalidations() const { return !invalidations_.empty(); }
  template <typename Apply, typename Everything>
  void drain_invalidations(Apply&& apply, Everything&& everything) {
    invalidations_.drain(apply, everything);
  }

  // Passes the slot from process `from` (0: free) to `process`; process numbers are unique. Returns false if
  // `from` does not own it.
  [[nodiscard]] bool claim(uint64_t process, uint64_t from) {
    if (!__atomic_compare_exchange_n(&process_, &from, process, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      return false;
    lock_.reset();
    LockGuard guard(lock_);
    invalidations_.reset_lock();
    invalidations_.drain([](uint64_t, LineChange) {}, [] {});
    forget_lines();
    return true;
  }
  void release() { __atomic_store_n(&process_, uint64_t{0}, __ATOMIC_RELEASE); }
  // 0: free.
  [[nodiscard]] uint64_t process() const { return __atomic_load_n(&process_, __ATOMIC_RELAXED); }

 private:
  // An entry holds a line's number plus 1, and the number of cores that have the line; 0: empty.
  static constexpr unsigned kCountBits = 8;
  static constexpr uint64_t kCountMask = (1u << kCountBits) - 1;
  static constexpr uint64_t kNoLine = ~uint64_t{0};
  static constexpr uint32_t kBuckets = 1 << 14;

  struct alignas(64) Bucket {
    uint64_t entries[8];
  };

  static uint64_t line_of(uint64_t entry) { return (entry >> kCountBits) - 1; }
  [[nodiscard]] const Bucket& bucket_of(uint64_t line) const { return buckets_[line % kBuckets]; }
  [[nodiscard]] Bucket& bucket_of(uint64_t line) { return buckets_[line % kBuckets]; }
  static uint64_t* find(Bucket& bucket, uint64_t line) {
    for (uint64_t& entry : bucket.entries) {
      if (line_of(entry) == line) return &entry;
    }
    return nullptr;
  }

  // Pages that no process has written are not allocated, and most processes have no common lines.
  void forget_lines() HM_REQUIRES(lock_) {
    if (!has_had_lines_) return;
    for (Bucket& bucket : buckets_) {
      for (uint64_t& entry : bucket.entries) __atomic_store_n(&entry, uint64_t{0}, __ATOMIC_RELAXED);
    }
    has_had_lines_ = false;
  }

  uint64_t process_ = 0;
  BoundedLock lock_;
  bool has_had_lines_ HM_GUARDED_BY(lock_) = false;
  InvalidationQueue<BoundedLock> invalidations_;
  Bucket buckets_[kBuckets] = {};
};

}  // namespace hm::model
