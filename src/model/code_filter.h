// SPDX-License-Identifier: MIT
// The filter for code, the counterpart of data_filter.h: each code line has a presence word at a fixed
// address, which an engine checks inline. Freestanding.
//
// Code addresses are known when code is translated, so a line's slot in the cache is found without a search.
// The presence word is 0 (absent) if a fetch has to be modelled, because the line is not in the first-level
// cache or its page is not in the instruction TLB. Otherwise it is the offset of the line's slot. The engine
// then writes the time of the fetch to the stamps of the slot and of the page, and the fetch is complete.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/data_filter.h"
#include "model/stamped_sets.h"
#include "model/tlb.h"

namespace hm::model {

struct CodePage {
  uint64_t number;
  uint64_t stamp;          // of the last fetch from the page
  uint64_t maybe_present;  // one bit per line, modulo 64: set if its presence word may be nonzero
  uint32_t presence[];     // the lines' presence words

  static constexpr uint64_t bytes(uint32_t lines_per_page) {
    return sizeof(CodePage) + uint64_t{lines_per_page} * sizeof(uint32_t);
  }
};

class CodeFilter {
 public:
  CodeFilter() = default;
  // Presence words are offsets from `first_offset` bytes before the first slot, so that none of them is 0.
  CodeFilter(SetGeometry l1i, SetGeometry itlb, uint32_t lines_per_page, uint32_t first_offset, Arena& arena)
      : lines_per_page_(lines_per_page), first_offset_(first_offset) {
    pages_ = arena.take<CodePage*>(StampedSets<CodePlace>::places(l1i));
    translated_ = arena.take<CodePage*>(Tlb::entries(itlb));
  }

  // `line`, in page `page` and at slot `place` of the cache, was fetched at `stamp`.
  void put(uint64_t line, uint64_t stamp, uint32_t place, CodePage& page) {
    pages_[place] = &page;
    page.presence[index_of(line)] = first_offset_ + place * static_cast<uint32_t>(sizeof(CodePlace));
    page.maybe_present |= present_bit(line);
    page.stamp = stamp;
  }

  // The line at slot `place` is evicted.
  void drop(uint64_t line, uint32_t place) {
    if (pages_[place] != nullptr) pages_[place]->presence[index_of(line)] = 0;
  }

  // Slot `place` becomes empty; it has held `line`.
  void clear(uint64_t line, uint32_t place) {
    drop(line, place);
    pages_[place] = nullptr;
  }

  // The page is now at `entry` of the TLB.
  void put_page(uint32_t entry, CodePage& page) { translated_[entry] = &page; }

  // Returns the last use of the page at a TLB entry.
  [[nodiscard]] uint64_t latest_use(uint32_t entry) const {
    return translated_[entry] == nullptr ? 0 : translated_[entry]->stamp;
  }

  // The page at a TLB entry is evicted: its lines stay in the cache, but their fetches have to be modelled.
  void drop_page(uint32_t entry) {
    CodePage& page = *translated_[entry];
    for (; page.maybe_present != 0; page.maybe_present &= page.maybe_present - 1) {
      auto first = static_cast<uint32_t>(__builtin_ctzll(page.maybe_present));
      for (uint32_t i = first; i < lines_per_page_; i += 64) page.presence[i] = 0;
    }
  }

 private:
  [[nodiscard]] uint64_t index_of(uint64_t line) const { return line & (lines_per_page_ - 1); }
  [[nodiscard]] uint64_t present_bit(uint64_t line) const { return uint64_t{1} << (index_of(line) & 63); }

  uint32_t lines_per_page_ = 1;
  uint32_t first_offset_ = 0;
  CodePage** pages_ = nullptr;       // by slot of the cache; null if the slot is empty
  CodePage** translated_ = nullptr;  // by entry of the TLB
};

}  // namespace hm::model
