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
#include "model/geometry.h"

namespace hm::model {

class EvictedLines {
 public:
  EvictedLines() = default;
  // Of a cache of `entries` lines.
  EvictedLines(uint64_t entries, Arena& arena) : entries_(static_cast<uint32_t>(entries)) {
    // When a generation begins, the cache holds `entries` lines that were used before: these join it when
    // they are evicted, but do not count. A table is at most half full.
    while (slots() < 4 * entries) mask_ = 2 * mask_ + 1;
    young_ = {arena.take<Slot>(slots()), kFirstGeneration};
    old_ = {arena.take<Slot>(slots()), kFirstGeneration};
  }

  // `line` is evicted at `now`. It was used last at `last_use`, which is not 0.
  [[gnu::always_inline]] void add(uint64_t line, uint64_t last_use, uint64_t now) {
    Slot& slot = slot_of(young_, line);
    bool counted = young_.has(slot) & (slot.last_use > began_);
    slot = {young_.key_of(line), last_use};
    // No branch but one that is seldom taken: they would be mispredicted.
    joined_ += static_cast<uint32_t>(last_use > began_) & static_cast<uint32_t>(!counted);
    if (joined_ == entries_) [[unlikely]]
      begin_generation(now);
  }

  // The last use of `line` before it was evicted; 0 where it is not on the list.
  [[nodiscard]] uint64_t last_use(uint64_t line) const {
    const Slot& young = slot_of(young_, line);
    if (young_.has(young)) return young.last_use;
    const Slot& old = slot_of(old_, line);
    return old_.has(old) ? old.last_use : 0;
  }

  // How many lines on the list satisfy `counts(line)` and were last used after `line` was at `after`, and
  // before `before`; not more than `most` are counted. Of two lines with the same stamp, the lower one is the
  // older.
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

  // What a slot holds belongs to a generation, so a table is emptied by giving it another one. The upper bits
  // of a key are the generation, never 0; the others the line.
  struct Slot {
    uint64_t key;
    uint64_t last_use;
  };
  static uint64_t line_of(const Slot& slot) { return slot.key & kLine; }

  struct Table {
    Slot* slots = nullptr;
    uint64_t generation = 0;
    [[nodiscard]] uint64_t key_of(uint64_t line) const { return generation | (line & kLine); }
    // False where the slot is free.
    [[nodiscard]] bool has(const Slot& slot) const { return (slot.key & ~kLine) == generation; }
  };

  [[nodiscard]] uint32_t slots() const { return mask_ + 1; }

  // The line's slot, or the free one that it would take.
  [[nodiscard]] [[gnu::always_inline]] Slot& slot_of(const Table& table, uint64_t line) const {
    constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    uint64_t key = table.key_of(line);
    constexpr unsigned kTogether = 2;  // neighbouring lines: their slots share one of the host's cache lines
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
    began_ = now;
  }

  // Numbers of generations begin again, so slots with these numbers must not be left.
  void begin_anew() {
    young_.generation = kFirstGeneration;
    for (uint32_t i = 0; i < slots(); ++i) young_.slots[i] = {};
    for (uint32_t i = 0; i < slots(); ++i)
      if (!old_.has(old_.slots[i])) old_.slots[i] = {};
  }

  uint32_t entries_ = 0;
  uint32_t mask_ = 63;
  uint32_t joined_ = 0;  // lines of the young generation that were used since it began
  uint64_t began_ = 0;
  Table young_, old_;
};

}  // namespace hm::model
