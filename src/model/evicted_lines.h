// SPDX-License-Identifier: MIT
// The evicted-line list: lines that have left a cache, with the time of their last uses, while a fully
// associative cache of equal size may still hold them. Freestanding.
//
// Lines are kept in two generations. The young generation ends when it has gained as many lines as the cache
// has entries, each used since the generation began. Every line of the old generation was last used before
// that. So it has left the fully associative cache too, regardless of hits, and the whole generation is
// dropped.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/geometry.h"

namespace hm::model {

class EvictedLines {
 public:
  EvictedLines() = default;
  // For a cache of `entries` lines.
  EvictedLines(uint64_t entries, Arena& arena) : entries_(static_cast<uint32_t>(entries)) {
    // When a generation begins, the cache holds `entries` lines that were used before. They join it when they
    // are evicted, but do not count. A table is at most half full.
    while (slots() < 4 * entries) mask_ = 2 * mask_ + 1;
    young_ = {arena.take<Slot>(slots()), kFirstGeneration};
    old_ = {arena.take<Slot>(slots()), kFirstGeneration};
    free_ = most();
  }

  // `line` is evicted at `now`. Its last use was at `last_use`, which is not 0.
  [[gnu::always_inline]] void add(uint64_t line, uint64_t last_use, uint64_t now) {
    Slot& slot = slot_of(young_, line);
    bool is_new = !young_.has(slot);
    bool counted = !is_new & (slot.last_use > began_);
    slot = {young_.key_of(line), last_use};
    // Only a rarely taken branch: others would be mispredicted.
    free_ -= static_cast<uint32_t>(is_new);
    joined_ += static_cast<uint32_t>(last_use > began_) & static_cast<uint32_t>(!counted);
    if ((joined_ == entries_) | (free_ == 0)) [[unlikely]]
      begin_generation(now);
  }

  // Returns the last use of `line` before its eviction; 0 if it is not on the list.
  [[nodiscard]] uint64_t last_use(uint64_t line) const {
    const Slot& young = slot_of(young_, line);
    if (young_.has(young)) return young.last_use;
    const Slot& old = slot_of(old_, line);
    return old_.has(old) ? old.last_use : 0;
  }

  // Returns how many lines on the list satisfy `counts(line)` and were last used between the use of `line` at
  // `after` and `before`; counts at most `most`. Of two lines with equal stamps, the lower line is the older.
  template <typename Counts>
  [[nodiscard]] uint32_t count_between(uint64_t after, uint64_t line, uint64_t before, uint32_t most,
                                       Counts&& counts) const {
    const auto between = [&](const Slot& slot) {
      bool since = slot.last_use > after || (slot.last_use == after && line_of(slot) > line);
      return since && slot.last_use < before;
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i <= mask_ && count < most; ++i) {
      const Slot& young = young_.slots[i];
      if (young_.has(young) && between(young) && counts(line_of(young))) ++count;
      const Slot& old = old_.slots[i];
      if (!old_.has(old) || !between(old)) continue;
      bool is_latest = !young_.has(slot_of(young_, line_of(old)));
      if (is_latest && counts(line_of(old))) ++count;
    }
    return count < most ? count : most;
  }

 private:
  static constexpr uint64_t kFirstGeneration = uint64_t{1} << kLineNumberBits;
  static constexpr uint64_t kLine = kFirstGeneration - 1;

  // Each slot's contents belong to a generation, so a new generation number empties a table. The upper bits
  // of a key are the generation, never 0; the lower bits are the line.
  struct Slot {
    uint64_t key;
    uint64_t last_use;
  };
  static uint64_t line_of(const Slot& slot) { return slot.key & kLine; }

  struct Table {
    Slot* slots = nullptr;
    uint64_t generation = 0;
    [[nodiscard]] uint64_t key_of(uint64_t line) const { return generation | (line & kLine); }
    // False if the slot is free.
    [[nodiscard]] bool has(const Slot& slot) const { return (slot.key & ~kLine) == generation; }
  };

  [[nodiscard]] uint32_t slots() const { return mask_ + 1; }
  // Number of lines that a table may hold. Uses in order never reach it.
  [[nodiscard]] uint32_t most() const { return slots() / 4 * 3; }

  // Returns the line's slot, or the free slot that it would take.
  [[nodiscard]] [[gnu::always_inline]] Slot& slot_of(const Table& table, uint64_t line) const {
    constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    uint64_t key = table.key_of(line);
    constexpr unsigned kTogether = 2;  // the slots of neighbouring lines share a cache line of the host
    auto spread = static_cast<uint32_t>(((line >> kTogether) * kSpread) >> 32);
    uint32_t i = (spread << kTogether | (line & ((1u << kTogether) - 1))) & mask_;
    while (table.slots[i].key != key && table.has(table.slots[i])) i = (i + 1) & mask_;
    return table.slots[i];
  }

  [[gnu::noinline]] void begin_generation(uint64_t now) {
    Table forgotten = old_;
    old_ = young_;
    young_ = forgotten;
    young_.generation = old_.generation + kFirstGeneration;
    if (young_.generation == 0) begin_anew();
    joined_ = 0;
    free_ = most();
    began_ = now;
  }

  // Generation numbers restart, so this clears old slots that have these numbers.
  void begin_anew() {
    young_.generation = kFirstGeneration;
    for (uint32_t i = 0; i < slots(); ++i) young_.slots[i] = {};
    for (uint32_t i = 0; i < slots(); ++i)
      if (!old_.has(old_.slots[i])) old_.slots[i] = {};
  }

  uint32_t entries_ = 0;
  uint32_t mask_ = 63;
  uint32_t joined_ = 0;  // lines of the young generation that were used since it began
  uint32_t free_ = 0;    // number of further lines that the young generation may hold
  uint64_t began_ = 0;
  Table young_, old_;
};

}  // namespace hm::model
