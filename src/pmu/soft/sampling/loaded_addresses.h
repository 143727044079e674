// SPDX-License-Identifier: MIT
// Finds loads whose address comes from a cache line that an earlier load waits for: the line has a pointer to
// near the address. The line is read from the program's memory when the next load misses; then the earlier
// load has been executed. Freestanding.
//
// The pointer need not be what the earlier load read: a loop over a list may miss at a node's value, and take
// the pointer to the next node from the same line.
#pragma once

#include <stdint.h>

namespace hm::soft {

inline constexpr uint64_t kWordsOfLine = 8;

class LoadedAddresses {
 public:
  // A load of `address` misses at the time `now`. Returns when the latest remembered load is complete whose
  // line has a pointer to near this address; 0 if there is none, or if it is complete now. `now` never
  // decreases. `read(LINE_ADDRESS, WORDS)` reads kWordsOfLine words, or returns false.
  template <typename Read>
  [[nodiscard]] uint64_t complete_of_source(uint64_t address, uint64_t now, Read&& read) {
    if (last_complete_ <= now) return 0;
    Load& last = loads_[(next_ - 1) % kRemembered];
    if (!last.is_read) pages_ |= last.read_line(read);
    uint64_t pages = page_bit(address) | page_bit(address + kBefore) | page_bit(address - kAfter);
    if ((pages & pages_) == 0) return 0;
    for (uint32_t back = 1; back <= kRemembered; ++back) {
      const Load& load = loads_[(next_ - back) % kRemembered];
      if (load.complete > now && (load.pages & pages) != 0 && load.points_near(address)) return load.complete;
    }
    return 0;
  }

  // The line of this load comes at the time `complete`.
  void remember(uint64_t address, uint64_t complete) {
    Load& load = loads_[next_++ % kRemembered];
    load.line_address = address & ~(kWordsOfLine * sizeof(uint64_t) - 1);
    load.complete = complete;
    load.is_read = false;
    if (complete > last_complete_) last_complete_ = complete;
    load.pages = 0;
    if (next_ % kRemembered != 0) return;
    pages_ = 0;
    for (const Load& each : loads_) pages_ |= each.pages;
  }

 private:
  static constexpr uint32_t kRemembered = 8;
  // An object's pointer leads to its fields, at small distances, some of them negative.
  static constexpr uint64_t kBefore = 64, kAfter = 4096;

  static constexpr unsigned kPageShift = 12;
  static_assert(kAfter == uint64_t{1} << kPageShift);  // three pages have all that points near an address

  // Programs have nothing in the first 64 KiB, and addresses of 47 bits.
  static bool may_be_pointer(uint64_t word) { return word >> 16 != 0 && word >> 47 == 0; }
  static uint64_t page_bit(uint64_t address) { return uint64_t{1} << (address >> kPageShift) % 64; }

  struct Load {
    uint64_t line_address = 0;
    uint64_t complete = 0;
    uint64_t words[kWordsOfLine] = {};
    uint64_t pages = 0;  // page_bit() of all words that may be pointers; mostly, no word need be compared
    bool is_read = true;

    template <typename Read>
    uint64_t read_line(Read&& read) {
      is_read = true;
      if (!read(line_address, words)) return 0;
      for (uint64_t word : words) pages |= may_be_pointer(word) ? page_bit(word) : 0;
      return pages;
    }

    [[nodiscard]] bool points_near(uint64_t address) const {
      for (uint64_t word : words) {
        if (address - word + kBefore < kBefore + kAfter) return true;
      }
      return false;
    }
  };

  Load loads_[kRemembered] = {};
  uint32_t next_ = 1;
  uint64_t last_complete_ = 0;
  uint64_t pages_ = 0;  // those of all loads, and of some before them
};

}  // namespace hm::soft
