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
  // A load of `address` misses. Returns the slot of the latest remembered load whose line has a pointer to
  // near this address; 0 if there is none. `read(LINE_ADDRESS, WORDS)` reads kWordsOfLine words, or returns
  // false.
  template <typename Read>
  [[nodiscard]] uint64_t source_of(uint64_t address, Read&& read) {
    Load& last = loads_[(next_ - 1) % kRemembered];
    if (!last.is_read) last.has_words = read(last.line_address, last.words);
    last.is_read = true;
    for (uint32_t back = 1; back <= kRemembered; ++back) {
      const Load& load = loads_[(next_ - back) % kRemembered];
      if (load.has_words && load.points_near(address)) return load.slot;
    }
    return 0;
  }

  // The core waits for the line of this load from `slot` on.
  void remember(uint64_t address, uint64_t slot) {
    Load& load = loads_[next_++ % kRemembered];
    load.line_address = address & ~(kWordsOfLine * sizeof(uint64_t) - 1);
    load.slot = slot;
    load.has_words = load.is_read = false;
  }

 private:
  static constexpr uint32_t kRemembered = 8;
  // An object's pointer leads to its fields, at small distances, some of them negative.
  static constexpr uint64_t kBefore = 64, kAfter = 4096;

  struct Load {
    uint64_t line_address = 0;
    uint64_t slot = 0;
    uint64_t words[kWordsOfLine] = {};
    bool has_words = false;
    bool is_read = true;

    [[nodiscard]] bool points_near(uint64_t address) const {
      for (uint64_t word : words) {
        if (address - word + kBefore < kBefore + kAfter) return true;
      }
      return false;
    }
  };

  Load loads_[kRemembered] = {};
  uint32_t next_ = 1;
};

}  // namespace hm::soft
