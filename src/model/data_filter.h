// SPDX-License-Identifier: MIT
// What an engine checks inline, so that a data access that changes nothing but the order of recency needs no
// call of the models. Freestanding.
//
// An access passes only while its line is in the first-level cache and its page in the first-level TLB: then
// only the time of the use has to be written (the stamp). A table of hints, by the low bits of the line's
// number, says where in the cache the line is. Stores pass only where no other core may have the line.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/stamped_sets.h"
#include "model/tlb.h"

namespace hm::model {

// Not canonical: no user address is within a line of it.
inline constexpr uint64_t kNoLineAddress = uint64_t{1} << 63;

// A place (one way of one set) of the first-level data cache. A load of [address, address + bytes) passes
// where `address - passing` is at most the line size minus `bytes`; the engine then writes the time to
// `stamp`, and the access is complete.
struct DataPlace {
  uint64_t passing;  // the first address of the line, or kNoLineAddress
  uint64_t stamp;    // of its last use
};

// The same place, for stores: these pass only where no other core may have the line (directory.h). It is as
// large as a DataPlace, so that one hint serves both.
struct StorePlace {
  uint64_t passing;
  uint64_t unused;
};
static_assert(sizeof(StorePlace) == sizeof(DataPlace));

// A place of the first-level code cache: see code_filter.h.
struct CodePlace {
  uint64_t stamp;
};

// What the engine reads and writes. hints[line number & (hint_count - 1)] is the place to look at, in bytes
// from an address that the engine chooses: `data_offset` bytes before `data`. Likewise the presence words of
// code lines count from `code_offset` bytes before `code`.
struct FilterTables {
  uint16_t* hints;
  DataPlace* data;
  StorePlace* stores;  // of the same places
  CodePlace* code;
  uint16_t data_offset;
  uint32_t code_offset;  // not 0
};

inline constexpr uint32_t kMaxHints = 65536;

// A power of two: 64 times the cache's lines, so that few of them contend for a hint. With eight times, a
// fifth of python3's calls and half of sqlite3's were lines that had lost theirs; used hints lie together
// either way.
constexpr uint32_t filter_hints(SetGeometry l1d) {
  uint32_t hints = 64;
  while (hints < 64 * l1d.entries() && hints < kMaxHints) hints *= 2;
  return hints;
}

class DataFilter {
 public:
  DataFilter() = default;
  DataFilter(FilterTables tables, SetGeometry l1d, SetGeometry dtlb, unsigned line_shift, Arena& arena)
      : tables_(tables),
        hint_mask_(filter_hints(l1d) - 1),
        places_(StampedSets<DataPlace>::places(l1d)),
        line_shift_(line_shift) {
    uint32_t entries = Tlb::entries(dtlb);
    links_ = arena.take<Link>(places_ + entries);
    entry_stamps_ = arena.take<uint64_t>(entries);
    if (arena.measuring()) return;
    for (uint32_t i = 0; i <= hint_mask_; ++i) tables_.hints[i] = hint_of(0);
    for (uint32_t i = 0; i < places_; ++i)
      tables_.data[i].passing = tables_.stores[i].passing = kNoLineAddress;
    for (uint32_t i = 0; i < places_ + entries; ++i) links_[i] = alone(i);
  }

  // A data access that did not pass went to the page at this TLB entry.
  void stamp(uint32_t entry, uint64_t stamp) { entry_stamps_[entry] = stamp; }

  // `line` is at `place` of the cache, and its page at `entry` of the TLB: loads of it pass from now on;
  // stores too if `may_write`.
  [[gnu::always_inline]] void put(uint64_t line, uint32_t place, uint32_t entry, bool may_write) {
    tables_.hints[line & hint_mask_] = hint_of(place);
    tables_.data[place].passing = line << line_shift_;
    tables_.stores[place].passing = may_write ? line << line_shift_ : kNoLineAddress;
    if (links_[place].entry != entry) link(place, entry);
  }

  // True where a load or store of `line`, at `place`, did not pass only because another line had taken its
  // hint; the hint is the line's own again then.
  [[nodiscard]] [[gnu::always_inline]] bool pass_again(uint64_t line, uint32_t place, bool writes) {
    uint64_t passing = writes ? tables_.stores[place].passing : tables_.data[place].passing;
    if (passing != line << line_shift_) return false;
    tables_.hints[line & hint_mask_] = hint_of(place);
    return true;
  }

  // The line at `place` is evicted; the time of its last use is kept with its page's entry. Written without a
  // branch, as it cannot be predicted whether the line passed: one that did not is linked only with itself.
  [[gnu::always_inline]] void drop(uint32_t place) {
    Link& link = links_[place];
    uint64_t& page_stamp = entry_stamps_[link.entry];
    uint64_t stamp = tables_.data[place].stamp;
    page_stamp = stamp > page_stamp ? stamp : page_stamp;
    links_[link.before].after = link.after;
    links_[link.after].before = link.before;
    link = alone(place);
  }

  // Called by any core: the line at `place` no longer passes stores, nor loads if it was `lost`. If the place
  // holds another line by now, that line only costs one more call of the model.
  void revoke(uint32_t place, bool lost) {
    stop(tables_.stores[place].passing);
    if (lost) stop(tables_.data[place].passing);
  }

  // The line at `place` is about to be used through the page at `entry`. A program can map the same memory at
  // several addresses: if the line passed through another page before, it no longer does.
  void change_page(uint32_t place, uint32_t entry) {
    if (links_[place].entry != entry) drop(place);
  }

  // The last use of the page at a TLB entry.
  [[nodiscard]] [[gnu::always_inline]] uint64_t latest_use(uint32_t entry) const {
    uint64_t latest = entry_stamps_[entry];
    for (uint32_t i = links_[places_ + entry].after; i < places_; i = links_[i].after) {
      latest = tables_.data[i].stamp > latest ? tables_.data[i].stamp : latest;
    }
    return latest;
  }

  // The page at a TLB entry is evicted: no line of it passes.
  [[gnu::always_inline]] void drop_page(uint32_t entry) {
    uint32_t head = places_ + entry;
    for (uint32_t i = links_[head].after; i < places_;) {
      uint32_t after = links_[i].after;
      tables_.data[i].passing = tables_.stores[i].passing = kNoLineAddress;
      links_[i] = alone(i);
      i = after;
    }
    links_[head] = alone(head);
  }

 private:
  static void stop(uint64_t& passing) { __atomic_store_n(&passing, kNoLineAddress, __ATOMIC_SEQ_CST); }

  // The places of a page's lines that pass are linked in a ring. Each entry of the TLB has a ring's head; the
  // heads stand behind the links of all places.
  struct Link {
    uint16_t before, after;
    uint16_t entry;  // Tlb::kNoEntry where the line does not pass
  };
  [[nodiscard]] uint16_t hint_of(uint32_t place) const {
    return static_cast<uint16_t>(tables_.data_offset + place * sizeof(DataPlace));
  }
  static Link alone(uint32_t i) {
    return {static_cast<uint16_t>(i), static_cast<uint16_t>(i), static_cast<uint16_t>(Tlb::kNoEntry)};
  }

  [[gnu::always_inline]] void link(uint32_t place, uint32_t entry) {
    uint32_t head = places_ + entry;
    uint16_t first = links_[head].after;
    links_[place] = {static_cast<uint16_t>(head), first, static_cast<uint16_t>(entry)};
    links_[first].before = static_cast<uint16_t>(place);
    links_[head].after = static_cast<uint16_t>(place);
  }

  FilterTables tables_{};
  Link* links_ = nullptr;             // of places, then of entries
  uint64_t* entry_stamps_ = nullptr;  // by entry: its page's last use that did not pass
  uint64_t hint_mask_ = 0;
  uint32_t places_ = 0;
  unsigned line_shift_ = 0;
};

}  // namespace hm::model
