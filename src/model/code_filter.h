// SPDX-License-Identifier: MIT
// DataFilter's like for code: a word for each code line, at an address of its own, that an engine checks
// inline. Freestanding.
//
// Code is known when it is translated, so a line's word needs no search: it is 0 while a fetch has to be
// modelled, as the line is not in the first-level cache or its page not in the instruction TLB. Otherwise it
// is the stamp of the line's last fetch, which the engine writes at each, to the word and to its page's; then
// the fetch is complete.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/stamped_sets.h"
#include "model/tlb.h"

namespace hm::model {

struct CodePage {
  uint64_t number;
  uint64_t stamp;  // of the last fetch from the page
  uint64_t note;   // a bit for each line, modulo 64, whose word may be up
  uint64_t words[];

  static constexpr size_t size_in_words(uint32_t lines_per_page) {
    return sizeof(CodePage) / sizeof(uint64_t) + lines_per_page;
  }
};

class CodeFilter {
 public:
  CodeFilter() = default;
  CodeFilter(SetGeometry l1i, SetGeometry itlb, uint32_t lines_per_page, Arena& arena)
      : lines_per_page_(lines_per_page) {
    pages_ = arena.take<CodePage*>(StampedSets::places(l1i));
    translated_ = arena.take<CodePage*>(Tlb::entries(itlb));
  }

  // `line`, one of `page` and at `place` of the cache, was fetched at `stamp`.
  void put(uint64_t line, uint64_t stamp, uint32_t place, CodePage& page) {
    pages_[place] = &page;
    page.words[index_of(line)] = stamp;
    page.note |= note_of(line);
    page.stamp = stamp;
  }

  // The place of the line that has to go for `line`. Stamps in the cache are those of when the line last came
  // up or went down, so the one that looks oldest is looked at again if its word knows of a later use.
  [[nodiscard]] uint32_t victim(uint64_t line, StampedSets& cache) const {
    while (true) {
      uint32_t place = cache.victim(line);
      uint64_t latest = pages_[place] == nullptr ? 0 : pages_[place]->words[index_of(cache.line_at(place))];
      if (latest <= cache.stamp_at(place)) return place;
      cache.stamp(place, latest);
    }
  }

  // The line at `place` leaves the cache.
  void drop(uint64_t line, uint32_t place) {
    if (pages_[place] != nullptr) pages_[place]->words[index_of(line)] = 0;
  }

  // The page is at `entry` of the TLB from now on.
  void put_page(uint32_t entry, CodePage& page) { translated_[entry] = &page; }

  // The last use of an entry's page.
  [[nodiscard]] uint64_t latest_use(uint32_t entry) const {
    return translated_[entry] == nullptr ? 0 : translated_[entry]->stamp;
  }

  // The page of an entry leaves the TLB: its lines stay in the cache.
  void drop_page(uint32_t entry, StampedSets& cache) {
    CodePage& page = *translated_[entry];
    for (; page.note != 0; page.note &= page.note - 1) {
      for (auto i = static_cast<uint32_t>(__builtin_ctzll(page.note)); i < lines_per_page_; i += 64) {
        if (page.words[i] == 0) continue;
        cache.stamp(cache.find(page.number * lines_per_page_ + i), page.words[i]);
        page.words[i] = 0;
      }
    }
  }

 private:
  [[nodiscard]] uint64_t index_of(uint64_t line) const { return line & (lines_per_page_ - 1); }
  [[nodiscard]] uint64_t note_of(uint64_t line) const { return uint64_t{1} << (index_of(line) & 63); }

  uint32_t lines_per_page_ = 1;
  CodePage** pages_ = nullptr;       // by place of the cache, null where there was no line yet
  CodePage** translated_ = nullptr;  // by entry of the TLB
};

}  // namespace hm::model
