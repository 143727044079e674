// SPDX-License-Identifier: MIT
// What an engine checks inline, so that an access that changes nothing but recency needs no call.
// Freestanding.
//
// A line is in a filter only while it is the most recent of its first-level set (a hit then changes nothing
// in the cache) and its page is in the first-level TLB (a hit then only has to stamp the time). An access
// that passes is complete once its stamp is written. When a line leaves its filter, its stamp is handed to
// the page's TLB entry.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/tlb.h"

namespace hm::model {

// Not canonical: no user address is within a line of it.
inline constexpr uint64_t kNoLineAddress = uint64_t{1} << 63;

// Data lines by slot = line number & mask. An access to [address, address + bytes) passes where address -
// lines[slot] is at most the line size minus bytes; the engine then writes stamps[slot].
class DataFilter {
 public:
  DataFilter() = default;
  // `lines` and `stamps` have `slots` (a power of two) entries where the engine can reach them.
  DataFilter(uint64_t* lines, uint64_t* stamps, uint32_t slots, unsigned line_shift, unsigned page_shift,
             Arena& arena)
      : lines_(lines), stamps_(stamps), mask_(slots - 1), line_shift_(line_shift), page_shift_(page_shift) {
    entries_ = arena.take<uint32_t>(slots);
    if (arena.measuring()) return;
    for (uint32_t i = 0; i < slots; ++i) lines_[i] = kNoLineAddress;
  }

  // `line` became the most recent of its set in place of `before`; `entry` is its page's in `tlb`.
  [[gnu::always_inline]] void put(uint64_t line, uint64_t before, uint64_t stamp, uint32_t entry, Tlb& tlb) {
    uint64_t before_slot = before & mask_;
    if (lines_[before_slot] == before << line_shift_) take_out(before_slot, tlb);
    uint64_t slot = line & mask_;
    if (lines_[slot] != kNoLineAddress) take_out(slot, tlb);
    lines_[slot] = line << line_shift_;
    stamps_[slot] = stamp;
    entries_[slot] = entry;
    tlb.entry(entry).filter_slots |= uint64_t{1} << (slot & 63);
  }

  [[nodiscard]] uint64_t latest_use(const Tlb::Entry& entry) const {
    uint64_t latest = 0;
    for_lines_of(entry, [&](uint64_t slot) { latest = stamps_[slot] > latest ? stamps_[slot] : latest; });
    return latest;
  }

  void drop(const Tlb::Entry& entry) {
    for_lines_of(entry, [&](uint64_t slot) { lines_[slot] = kNoLineAddress; });
  }

 private:
  [[gnu::always_inline]] void take_out(uint64_t slot, Tlb& tlb) {
    Tlb::Entry& entry = tlb.entry(entries_[slot]);
    if (stamps_[slot] > entry.stamp) entry.stamp = stamps_[slot];
    if (mask_ < 64) entry.filter_slots &= ~(uint64_t{1} << slot);
    lines_[slot] = kNoLineAddress;
  }

  template <typename Visit>
  void for_lines_of(const Tlb::Entry& entry, Visit&& visit) const {
    for (uint64_t noted = entry.filter_slots; noted != 0; noted &= noted - 1) {
      for (uint64_t slot = static_cast<uint64_t>(__builtin_ctzll(noted)) & mask_; slot <= mask_; slot += 64) {
        if (lines_[slot] >> page_shift_ == entry.page) visit(slot);
      }
    }
  }

  uint64_t* lines_ = nullptr;
  uint64_t* stamps_ = nullptr;
  uint32_t* entries_ = nullptr;  // by slot: the TLB entry of the line's page
  uint64_t mask_ = 0;
  unsigned line_shift_ = 0;
  unsigned page_shift_ = 0;
};

// Code lines: each has a word of its own, at an address that translated code knows. It is 0 while the line is
// not in the filter; otherwise the stamp of its last fetch, which the engine writes at each.
class FetchFilter {
 public:
  FetchFilter() = default;
  FetchFilter(uint32_t sets, Arena& arena) : sets_(sets), slots_(arena.take<Slot>(sets)) {}

  // The line of `word` became the most recent of L1I set `set`.
  void put(uint32_t set, uint64_t* word, uint64_t stamp, uint32_t entry, Tlb& tlb) {
    Slot& slot = slots_[set];
    if (slot.word != nullptr && slot.word != word) {
      uint64_t& last = tlb.entry(slot.entry).stamp;
      if (*slot.word > last) last = *slot.word;
      *slot.word = 0;
    }
    slot = {word, tlb.entry(entry).page, entry};
    *word = stamp;
    tlb.entry(entry).filter_slots |= uint64_t{1} << (set & 63);
  }

  [[nodiscard]] uint64_t latest_use(const Tlb::Entry& entry) const {
    uint64_t latest = 0;
    for_lines_of(entry, [&](Slot& slot) { latest = *slot.word > latest ? *slot.word : latest; });
    return latest;
  }

  void drop(const Tlb::Entry& entry) {
    for_lines_of(entry, [](Slot& slot) {
      *slot.word = 0;
      slot.word = nullptr;
    });
  }

 private:
  struct Slot {
    uint64_t* word;  // null: the set has no line in the filter
    uint64_t page;
    uint32_t entry;
  };

  template <typename Visit>
  void for_lines_of(const Tlb::Entry& entry, Visit&& visit) const {
    for (uint64_t noted = entry.filter_slots; noted != 0; noted &= noted - 1) {
      for (auto set = static_cast<uint32_t>(__builtin_ctzll(noted)); set < sets_; set += 64) {
        if (slots_[set].word != nullptr && slots_[set].page == entry.page) visit(slots_[set]);
      }
    }
  }

  uint32_t sets_ = 0;
  Slot* slots_ = nullptr;
};

}  // namespace hm::model
