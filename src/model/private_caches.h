// SPDX-License-Identifier: MIT
// A core's own caches, as other cores access them. Freestanding.
//
// Another core that takes a line removes it from this core's filter at once. Only the core itself changes its
// caches, at its next call of the models; until then it reads only its filter. The pending changes are in its
// invalidation queue.
#pragma once

#include <stdint.h>

#include "model/cache.h"
#include "model/data_filter.h"
#include "model/invalidation_queue.h"
#include "model/spin_lock.h"
#include "model/stamped_sets.h"

namespace hm::model {

class PrivateCaches {
 public:
  PrivateCaches() = default;
  PrivateCaches(const StampedSets<DataPlace>& first, DataFilter& filter, const Cache& second)
      : first_(&first), filter_(&filter), second_(&second) {}

  // Called by any core, but by one core at a time for each line.

  // Whether the core has the line, or is about to have it.
  [[nodiscard]] bool holds(uint64_t line) const {
    return holds_in_first_level(line) || second_->contains(line);
  }
  [[nodiscard]] bool holds_in_first_level(uint64_t line) const { return requests(line) || finds(line); }
  // The core may no longer write the line without a request (MESI: to shared).
  void downgrade(uint64_t line) { revoke(line, LineChange::kDowngraded); }
  // The core loses the line.
  void invalidate(uint64_t line) { revoke(line, LineChange::kInvalidated); }
  // The core loses the line to a flush instruction of another core.
  void flush(uint64_t line) { revoke(line, LineChange::kFlushed); }
  // The core may have lost any of its lines, and must check each of them.
  void recheck_all() { invalidations_.push_all(); }
  // Marks the currently queued entries, which the core applies when it calls drain_sealed_invalidations().
  void seal_invalidations() { invalidations_.seal(); }

  // Called by the core itself.

  // Between these two calls the core requests the line: other cores then treat it as a holder.
  void begin_request(uint64_t line) { __atomic_store_n(&requested_, line, __ATOMIC_SEQ_CST); }
  // The core's changes to its caches become visible to others before it reads its queue: revoke().
  void end_request() { __atomic_store_n(&requested_, kNoLine, __ATOMIC_SEQ_CST); }
  [[nodiscard]] bool has_invalidations() const { return !invalidations_.empty(); }
  // Whether entries exist that are not deferred.
  [[nodiscard]] bool has_due_invalidations() const { return has_invalidations() && !defers(); }
  [[nodiscard]] bool defers() const { return __atomic_load_n(&defers_, __ATOMIC_SEQ_CST); }
  // While invalidations are deferred, they are only queued, and the core's filter lets the lines pass until
  // it reads the queue.
  void defer_invalidations(bool defer) { __atomic_store_n(&defers_, defer, __ATOMIC_SEQ_CST); }
  // See InvalidationQueue::drain.
  template <typename Apply, typename Everything>
  void drain_invalidations(Apply&& apply, Everything&& everything) {
    invalidations_.drain(apply, everything);
  }
  template <typename Apply, typename Everything>
  void drain_sealed_invalidations(Apply&& apply, Everything&& everything) {
    invalidations_.drain_sealed(apply, everything);
  }

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    invalidations_.for_each_lock(visit);
  }

 private:
  static constexpr uint64_t kNoLine = ~uint64_t{0};

  [[nodiscard]] bool requests(uint64_t line) const {
    return __atomic_load_n(&requested_, __ATOMIC_SEQ_CST) == line;
  }
  [[nodiscard]] bool finds(uint64_t line) const {
    return first_->find(line) != StampedSets<DataPlace>::kNone;
  }

  // If the core is just about to put the line into its filter, it is not found here. The core then finds the
  // entry in its queue afterwards.
  void revoke(uint64_t line, LineChange change) {
    invalidations_.push(line, change);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (defers()) return;
    uint32_t place = first_->find(line);
    if (place != StampedSets<DataPlace>::kNone) filter_->revoke(place, change != LineChange::kDowngraded);
  }

  const StampedSets<DataPlace>* first_ = nullptr;
  DataFilter* filter_ = nullptr;
  const Cache* second_ = nullptr;
  uint64_t requested_ = kNoLine;
  bool defers_ = false;
  InvalidationQueue<SpinLock> invalidations_;
};

}  // namespace hm::model
