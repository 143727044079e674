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

  // A page's note in the TLB: a bit for each slot, modulo 64, that may hold one of its lines.

  // `line` became the most recent of its set in place of `before`; `entry` is its page's in `tlb`.
  [[gnu::always_inline]] void put(uint64_t line, uint64_t before, uint64_t stamp, uint32_t entry, Tlb& tlb) {
    uint64_t before_slot = before & mask_;
    if (lines_[before_slot] == before << line_shift_) take_out(before_slot, tlb);
    uint64_t slot = line & mask_;
    if (lines_[slot] != kNoLineAddress) take_out(slot, tlb);
    lines_[slot] = line << line_shift_;
    stamps_[slot] = stamp;
    entries_[slot] = entry;
    tlb.entry(entry).note |= uint64_t{1} << (slot & 63);
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
    if (mask_ < 64) entry.note &= ~(uint64_t{1} << slot);
    lines_[slot] = kNoLineAddress;
  }

  template <typename Visit>
  void for_lines_of(const Tlb::Entry& entry, Visit&& visit) const {
    for (uint64_t noted = entry.note; noted != 0; noted &= noted - 1) {
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

}  // namespace hm::model
