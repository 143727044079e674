// SPDX-License-Identifier: MIT
// The evicted-line list: lines that a cache no longer holds, with the time of each one's last use, as long as
// a fully associative cache of the same size may still hold them. Freestanding.
//
// Lines are kept in two generations. The young one ends when as many lines have joined it as the cache has
// entries, each of them used since that generation began. Every line of the old generation was last used
// before that: it is out of the fully associative cache too, whatever hits there were, so the whole
// generation is forgotten.
#pragma once

#include <stdint.h>

#include "model/arena.h"

namespace hm::model {

class EvictedLines {
 public:
  EvictedLines() = default;
  // Of a cache of `entries` lines.
  EvictedLines(uint64_t entries, Arena& arena) : entries_(static_cast<uint32_t>(entries)) {
    // When a generation begins, the cache holds `entries` lines that were used before: these join it when
    // they are evicted, but do not count. A table is at most half full.
    while (slots() < 4 * entries) mask_ = 2 * mask_ + 1;
    young_ = arena.take<Slot>(slots());
    old_ = arena.take<Slot>(slots());
  }

  // `line` is evicted at `now`. It was used last at `last_use`, which is not 0.
  [[gnu::always_inline]] void add(uint64_t line, uint64_t last_use, uint64_t now) {
    Slot& slot = slot_of(young_, line);
    bool counted = slot.last_use > began_;
    slot = {line, last_use};
    if (last_use <= began_ || counted) return;
    if (++joined_ == entries_) begin_generation(now);
  }

  // The last use of `line` before it was evicted; 0 where it is not on the list.
  [[nodiscard]] uint64_t last_use(uint64_t line) const {
    uint64_t young = slot_of(young_, line).last_use;
    return young != 0 ? young : slot_of(old_, line).last_use;
  }

  // How many lines on the list satisfy `counts(line)` and were last used after `line` was at `after`, and
  // before `before`. Of two lines with the same stamp, the lower one is the older.
  template <typename Counts>
  [[nodiscard]] uint32_t count_between(uint64_t after, uint64_t line, uint64_t before,
                                       Counts&& counts) const {
    const auto between = [&](const Slot& slot) {
      bool since = slot.last_use > after || (slot.last_use == after && slot.line > line);
      return since && slot.last_use < before;
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i <= mask_; ++i) {
      if (between(young_[i]) && counts(young_[i].line)) ++count;
      const Slot& old = old_[i];
      if (between(old) && slot_of(young_, old.line).last_use == 0 && counts(old.line)) ++count;
    }
    return count;
  }

 private:
  struct Slot {
    uint64_t line;
    uint64_t last_use;  // 0: the slot is free
  };

  [[nodiscard]] uint32_t slots() const { return mask_ + 1; }

  // The line's slot, or the free one that it would take.
  [[nodiscard]] Slot& slot_of(Slot* table, uint64_t line) const {
    constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    uint32_t i = static_cast<uint32_t>((line * kSpread) >> 32) & mask_;
    while (table[i].last_use != 0 && table[i].line != line) i = (i + 1) & mask_;
    return table[i];
  }

  [[gnu::noinline]] void begin_generation(uint64_t now) {
    Slot* forgotten = old_;
    old_ = young_;
    young_ = forgotten;
    for (uint32_t i = 0; i <= mask_; ++i) young_[i] = {};
    joined_ = 0;
    began_ = now;
  }

  uint32_t entries_ = 0;
  uint32_t mask_ = 63;
  uint32_t joined_ = 0;  // lines of the young generation that were used since it began
  uint64_t began_ = 0;
  Slot* young_ = nullptr;
  Slot* old_ = nullptr;
};

}  // namespace hm::model
