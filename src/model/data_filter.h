// SPDX-License-Identifier: MIT
// What an engine checks inline, so that a data access that changes nothing but recency needs no call.
// Freestanding.
//
// A line passes only while it is in the first-level cache and its page in the first-level TLB: a hit then
// only has to stamp the time. Where in the cache it is, the filter remembers by a hash of its number.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/stamped_sets.h"
#include "model/tlb.h"

namespace hm::model {

// Not canonical: no user address is within a line of it.
inline constexpr uint64_t kNoLineAddress = uint64_t{1} << 63;

// What the engine reads and writes: with place = hints[line number & (hint_count - 1)], an access to [address,
// address + bytes) passes where address - passing[place] is at most the line size minus bytes; the engine then
// writes the time to stamps[place], and the access is complete.
struct FilterTables {
  uint16_t* hints;
  uint64_t* passing;  // the first address of the line at a place, or kNoLineAddress
  uint64_t* stamps;
};

inline constexpr uint32_t kMaxHints = 65536;
inline constexpr uint32_t kMaxL1Places = 65536;

// A power of two: eight times the cache's lines, so that few of them contend for a hint.
constexpr uint32_t filter_hints(SetGeometry l1d) {
  uint32_t hints = 64;
  while (hints < 8 * l1d.entries() && hints < kMaxHints) hints *= 2;
  return hints;
}

class DataFilter {
 public:
  DataFilter() = default;
  DataFilter(FilterTables tables, SetGeometry l1d, unsigned line_shift, unsigned page_shift, Arena& arena)
      : tables_(tables),
        hint_mask_(filter_hints(l1d) - 1),
        places_(StampedSets::places(l1d)),
        line_shift_(line_shift),
        page_shift_(page_shift),
        page_has_note_(page_shift - line_shift <= 6) {
    entries_ = arena.take<uint32_t>(places_);
    if (arena.measuring()) return;
    for (uint32_t i = 0; i <= hint_mask_; ++i) tables_.hints[i] = 0;
    for (uint32_t i = 0; i < places_; ++i) {
      tables_.passing[i] = kNoLineAddress;
      entries_[i] = Tlb::kNobody;
    }
  }

  // `line` is at `place` of the cache, and its page at `entry` of the TLB: it passes from now on.
  void put(uint64_t line, uint32_t place, uint32_t entry, Tlb& tlb) {
    tables_.hints[line & hint_mask_] = static_cast<uint16_t>(place);
    tables_.passing[place] = line << line_shift_;
    entries_[place] = entry;
    tlb.entry(entry).note |= note_of(line);
  }

  // The line at `place` leaves the cache: what is known of its page's last use goes to the TLB. Without a
  // branch, as whether it passed cannot be predicted: if not, its entry is nobody's.
  void drop(uint32_t place, uint64_t line, Tlb& tlb) {
    Tlb::Entry& page = tlb.entry(entries_[place]);
    uint64_t stamp = tables_.stamps[place];
    page.stamp = stamp > page.stamp ? stamp : page.stamp;
    page.note &= ~note_of(line);
  }

  // The page's last use that is known here, 0 for none.
  [[nodiscard]] uint64_t latest_use(const Tlb::Entry& page, const StampedSets& cache) const {
    uint64_t latest = 0;
    for_lines_of(page, cache, [&](uint32_t place) {
      uint64_t stamp = tables_.stamps[place];
      latest = stamp > latest ? stamp : latest;
    });
    return latest;
  }

  // The page leaves the TLB.
  void drop(const Tlb::Entry& page, const StampedSets& cache) {
    for_lines_of(page, cache, [&](uint32_t place) {
      tables_.passing[place] = kNoLineAddress;
      entries_[place] = Tlb::kNobody;
    });
  }

 private:
  // A page's note in the TLB: a bit for each of its lines that passes, if it has 64 lines at most; the notes of
  // larger pages are not looked at.
  static uint64_t note_of(uint64_t line) { return uint64_t{1} << (line & 63); }

  template <typename Visit>
  void for_lines_of(const Tlb::Entry& page, const StampedSets& cache, Visit&& visit) const {
    if (!page_has_note_) [[unlikely]] {
      for (uint32_t place = 0; place < places_; ++place) {
        if (tables_.passing[place] >> page_shift_ == page.page) visit(place);
      }
      return;
    }
    uint64_t first = page.page << (page_shift_ - line_shift_) & ~uint64_t{63};
    for (uint64_t noted = page.note; noted != 0; noted &= noted - 1) {
      uint64_t line = first + static_cast<uint64_t>(__builtin_ctzll(noted));
      uint32_t place = tables_.hints[line & hint_mask_];
      if (cache.line_at(place) != line) [[unlikely]] place = cache.find(line);
      visit(place);
    }
  }

  FilterTables tables_{};
  uint32_t* entries_ = nullptr;  // by place: the TLB entry of the line's page, nobody's where it does not pass
  uint64_t hint_mask_ = 0;
  uint32_t places_ = 0;
  unsigned line_shift_ = 0;
  unsigned page_shift_ = 0;
  bool page_has_note_ = true;
};

}  // namespace hm::model
