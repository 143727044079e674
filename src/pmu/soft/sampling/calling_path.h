// SPDX-License-Identifier: MIT
// Distinguishes the paths on which an allocator is called, by the words above its return address that point
// into code. Most of these are the callers' return addresses. The stack is not unwound: a stale word of an
// earlier call at worst makes two paths of one. Multiples of 16 are skipped: they are function entries, and
// pointers to functions are data. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft {

// The address ranges of mapped files' code. Only one thread may change it at a time. Concurrent readers may
// see a wrong range for a moment, which at worst makes another path.
class CodeRanges {
 public:
  void add(uint64_t start, uint64_t end) {
    forget(start, end);
    if (count_ == kMost) return;
    uint32_t place = count_;
    for (; place != 0 && ranges_[place - 1].start > start; --place) move(ranges_[place - 1], ranges_[place]);
    move({start, end}, ranges_[place]);
    __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELEASE);
  }

  // Removes each range that overlaps [start, end).
  void forget(uint64_t start, uint64_t end) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      if (ranges_[i].end <= start || ranges_[i].start >= end) move(ranges_[i], ranges_[kept++]);
    }
    __atomic_store_n(&count_, kept, __ATOMIC_RELEASE);
  }

  [[nodiscard]] bool contains(uint64_t address) const {
    uint32_t below = 0, above = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    while (below < above) {
      uint32_t middle = (below + above) / 2;
      if (address < __atomic_load_n(&ranges_[middle].start, __ATOMIC_RELAXED)) {
        above = middle;
      } else if (address >= __atomic_load_n(&ranges_[middle].end, __ATOMIC_RELAXED)) {
        below = middle + 1;
      } else {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr uint32_t kMost = 256;
  struct Range {
    uint64_t start;
    uint64_t end;
  };

  static void move(const Range& from, Range& to) {
    __atomic_store_n(&to.start, from.start, __ATOMIC_RELAXED);
    __atomic_store_n(&to.end, from.end, __ATOMIC_RELAXED);
  }

  Range ranges_[kMost] = {};
  uint32_t count_ = 0;
};

// Returns a hash of the path on which the function was called. Its return address is at the stack pointer.
inline uint64_t calling_path(const CodeRanges& code, uint64_t stack_pointer) {
  constexpr uint64_t kWords = 48, kPointers = 4, kFunctionAlignment = 16;
  uint64_t copy[kWords];
  const auto* words = reinterpret_cast<const uint64_t*>(stack_pointer + sizeof(uint64_t));
  uint64_t count = kWords;
  bool ends_in_page = stack_pointer / kPageBytes == (stack_pointer + sizeof(copy) + 7) / kPageBytes;
  if (!ends_in_page) {  // the next page may not belong to the stack
    count = read_memory(stack_pointer + sizeof(uint64_t), copy, sizeof(copy)) / sizeof(uint64_t);
    words = copy;
  }
  uint64_t path = 0, pointers = 0;
  for (uint64_t i = 0; i < count && pointers < kPointers; ++i) {
    if (words[i] % kFunctionAlignment == 0 || !code.contains(words[i])) continue;
    path = (path ^ words[i]) * 0x9e3779b97f4a7c15;
    path ^= path >> 32;
    ++pointers;
  }
  return path;
}

}  // namespace hm::soft
