// SPDX-License-Identifier: MIT
// The first-level instruction cache, with a word for each code line that an engine checks inline.
// Freestanding.
//
// A line's word is 0 while a fetch has to come here: the line is not in the cache, or its page is not in the
// instruction TLB. Otherwise it is the stamp of the line's last fetch, which the engine writes at each, and
// the fetch is complete. So only misses come here, and the words are what the true LRU victim of a set is
// chosen by.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/geometry.h"
#include "model/tlb.h"

namespace hm::model {

class FetchCache {
 public:
  FetchCache() = default;
  FetchCache(SetGeometry geometry, uint32_t lines_per_page, Arena& arena)
      : index_(geometry.sets), ways_(geometry.ways), lines_per_page_(lines_per_page) {
    slots_ = arena.take<Slot>(geometry.entries());
    if (arena.measuring()) return;
    for (uint64_t i = 0; i < geometry.entries(); ++i) slots_[i] = {kNoLine, 0, nullptr};
  }

  // A fetch of `line`, whose word is down, at `stamp`. `words` are those of its page, side by side, which
  // must be in `tlb`. True where the line was there.
  bool fetch(uint64_t line, uint64_t stamp, uint64_t* words, Tlb& tlb) {
    uint64_t* word = &words[line & (lines_per_page_ - 1)];
    Slot* set = slots_ + uint64_t{index_.set_of(line)} * ways_;
    Slot* slot = find(set, line);
    bool there = slot != nullptr;
    if (!there) {
      slot = victim(set);
      if (slot->line != kNoLine) take_down(*slot, tlb);
      slot->line = line;
    }
    slot->word = word;
    *word = stamp;
    return there;
  }

  // The last fetch of any line of the page whose words these are.
  [[nodiscard]] uint64_t latest_use(const uint64_t* words) const {
    uint64_t latest = 0;
    for (uint32_t i = 0; i < lines_per_page_; ++i) latest = words[i] > latest ? words[i] : latest;
    return latest;
  }

  // The page leaves the TLB: its lines stay, and keep their stamps, but their words go down.
  void drop(uint64_t page, uint64_t* words) {
    for (uint32_t i = 0; i < lines_per_page_; ++i) {
      if (words[i] == 0) continue;
      uint64_t line = page * lines_per_page_ + i;
      Slot* slot = find(slots_ + uint64_t{index_.set_of(line)} * ways_, line);
      slot->stamp = words[i];
      slot->word = nullptr;
      words[i] = 0;
    }
  }

 private:
  static constexpr uint64_t kNoLine = ~uint64_t{0};

  struct Slot {
    uint64_t line;
    uint64_t stamp;  // of the last fetch, while the word is down
    uint64_t* word;  // null while it is down
  };

  [[nodiscard]] Slot* find(Slot* set, uint64_t line) const {
    for (uint32_t i = 0; i < ways_; ++i) {
      if (set[i].line == line) return &set[i];
    }
    return nullptr;
  }

  static uint64_t real_stamp(const Slot& slot) { return slot.word != nullptr ? *slot.word : slot.stamp; }

  [[nodiscard]] Slot* victim(Slot* set) const {
    Slot* oldest = set;
    uint64_t oldest_stamp = real_stamp(*set);
    for (uint32_t i = 1; i < ways_; ++i) {
      uint64_t stamp = real_stamp(set[i]);
      if (stamp >= oldest_stamp) continue;
      oldest = &set[i];
      oldest_stamp = stamp;
    }
    return oldest;
  }

  // The line leaves: what its word knows of the page's last use goes to the TLB entry.
  void take_down(Slot& slot, Tlb& tlb) {
    if (slot.word == nullptr) return;
    uint64_t& last = tlb.entry(tlb.find(slot.line / lines_per_page_)).stamp;
    if (*slot.word > last) last = *slot.word;
    *slot.word = 0;
  }

  SetIndex index_;
  uint32_t ways_ = 0;
  uint32_t lines_per_page_ = 1;
  Slot* slots_ = nullptr;
};

}  // namespace hm::model
