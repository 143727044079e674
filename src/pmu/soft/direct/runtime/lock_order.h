// SPDX-License-Identifier: MIT
// Checks while the engine runs that threads take locks in one order (runtime/check.h). Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// The locks that a thread holds. The position of a lock is its number in the order in which locks are taken
// (process/locks.h), from 1. A lock with position 0 is not checked.
class HeldLocks {
 public:
  static constexpr uint32_t kMaxPosition = 255;

  [[nodiscard]] uint32_t count() const {
    uint32_t count = 0;
    for (uint64_t word : words_) count += static_cast<uint32_t>(__builtin_popcountll(word));
    return count;
  }
  // Returns true if each held lock has a lower position: a thread that waits for a lock at a held position
  // waits for itself, and one that waits for a lock at a lower position may wait in a circle.
  [[nodiscard]] bool may_take(uint32_t position) const {
    uint32_t first = position / kBits;
    uint64_t behind = words_[first] >> position % kBits;
    for (uint32_t i = first + 1; i < kWords; ++i) behind |= words_[i];
    return behind == 0;
  }
  [[nodiscard]] bool holds(uint32_t position) const {
    return (words_[position / kBits] & bit(position)) != 0;
  }
  void add(uint32_t position) { words_[position / kBits] |= bit(position); }
  void remove(uint32_t position) { words_[position / kBits] &= ~bit(position); }

 private:
  static constexpr uint32_t kBits = 64, kWords = (kMaxPosition + 1) / kBits;

  static uint64_t bit(uint32_t position) { return uint64_t{1} << position % kBits; }

  uint64_t words_[kWords] = {};
};

// Called by Lock before the thread waits for a lock with a position, and after it has released the lock. End
// the process if the order is violated, or if the thread does not hold the lock that it releases (check.cc).
void note_taken(uint32_t position);
void note_released(uint32_t position);

// Returns the locks that the calling thread holds; null if the thread runs on the program's stack. The
// definition is with the process's state, in a layer above this one.
HeldLocks* held_locks();

}  // namespace hm::soft::direct
