// SPDX-License-Identifier: MIT
// The check that an engine makes inline, so that a data access that only changes the recency order needs no
// call of the models. Freestanding.
//
// An access passes the filter only while its line is in the first-level cache and its page in the first-level
// TLB. Then only the time of the use (the stamp) has to be written. A table of hints, indexed by the low bits
// of the line number, gives the line's slot in the cache. Stores pass only if no other core may have the
// line.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/stamped_sets.h"
#include "model/tlb.h"

namespace hm::model {

// Not a canonical address: no user address is within one line of it.
inline constexpr uint64_t kNoLineAddress = uint64_t{1} << 63;

// A slot (one way of one set) of the first-level data cache. A load of [address, address + bytes) passes if
// `address - passing` is at most the line size minus `bytes`. The engine then writes the time to `stamp`, and
// the access is complete.
struct DataPlace {
  uint64_t passing;  // the first address of the line, or kNoLineAddress
  uint64_t stamp;    // of its last use
};

// The same slot for stores, which pass only if no other core may have the line (directory.h). It has the size
// of a DataPlace, so that one hint serves both.
struct StorePlace {
  uint64_t passing;
  uint64_t unused;
};
static_assert(sizeof(StorePlace) == sizeof(DataPlace));

// A slot of the first-level code cache: see code_filter.h.
struct CodePlace {
  uint64_t stamp;
};

struct BranchCostTable;  // model/branch/branch_costs.h

// The tables that the engine reads and writes. hints[line number & (hint_count - 1)] is the slot to check, as
// a byte offset from `data_offset` bytes before `data`. The presence words of code lines are offsets from
// `code_offset` bytes before `code`.
struct FilterTables {
  uint16_t* hints;
  DataPlace* data;
  StorePlace* stores;  // for the same slots as `data`
  CodePlace* code;
  uint16_t data_offset;
  uint32_t code_offset;         // not 0
  uint16_t* streaks = nullptr;  // of conditional branches (model/branch/branch_streaks.h)
  BranchCostTable* branch_costs = nullptr;
};

inline constexpr uint32_t kMaxHints = 65536;

// A power of two: 64 times the cache's lines, so that few lines contend for a hint. With a factor of eight, a
// fifth of python3's calls and half of sqlite3's were for lines that had lost their hints. The used hints are
// contiguous either way.
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

  // Records that a data access that did not pass went to the page at this TLB entry.
  void stamp(uint32_t entry, uint64_t stamp) { entry_stamps_[entry] = stamp; }

  // `line` is at slot `place` of the cache, and its page at `entry` of the TLB: its loads pass from now on,
  // and its stores if `may_write`.
  [[gnu::always_inline]] void put(uint64_t line, uint32_t place, uint32_t entry, bool may_write) {
    tables_.hints[line & hint_mask_] = hint_of(place);
    tables_.data[place].passing = line << line_shift_;
    tables_.stores[place].passing = may_write ? line << line_shift_ : kNoLineAddress;
    if (links_[place].entry != entry) link(place, entry);
  }

  // Returns true if a load or store of `line`, at slot `place`, failed to pass only because another line had
  // taken its hint. The hint then points to this line again.
  [[nodiscard]] [[gnu::always_inline]] bool pass_again(uint64_t line, uint32_t place, bool writes) {
    uint64_t passing = writes ? tables_.stores[place].passing : tables_.data[place].passing;
    if (passing != line << line_shift_) return false;
    tables_.hints[line & hint_mask_] = hint_of(place);
    return true;
  }

  // The line at slot `place` is evicted; the time of its last use is kept with its page's entry. Written
  // without a branch, because whether the line passed is unpredictable: a line that did not pass is linked
  // only with itself.
  [[gnu::always_inline]] void drop(uint32_t place) {
    Link& link = links_[place];
    uint64_t& page_stamp = entry_stamps_[link.entry];
    uint64_t stamp = tables_.data[place].stamp;
    page_stamp = stamp > page_stamp ? stamp : page_stamp;
    links_[link.before].after = link.after;
    links_[link.after].before = link.before;
    link = alone(place);
  }

  // Called by any core: the line at slot `place` no longer passes stores, nor loads if it was `lost`. If the
  // slot holds another line by now, the only effect is one more call of the model.
  void revoke(uint32_t place, bool lost) {
    stop(tables_.stores[place].passing);
    if (lost) stop(tables_.data[place].passing);
  }

  // The line at slot `place` is about to be used through the page at `entry`. A program can map memory at
  // several addresses. If the line passed through another page before, it no longer does.
  void change_page(uint32_t place, uint32_t entry) {
    if (links_[place].entry != entry) drop(place);
  }

  // Returns the last use of the page at a TLB entry.
  [[nodiscard]] [[gnu::always_inline]] uint64_t latest_use(uint32_t entry) const {
    uint64_t latest = entry_stamps_[entry];
    for (uint32_t i = links_[places_ + entry].after; i < places_; i = links_[i].after) {
      latest = tables_.data[i].stamp > latest ? tables_.data[i].stamp : latest;
    }
    return latest;
  }

  // The page at a TLB entry is evicted: its lines no longer pass.
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

  // The slots of a page's passing lines are linked in a ring. Each TLB entry has the head of a ring; the
  // heads follow the links of all slots.
  struct Link {
    uint16_t before, after;
    uint16_t entry;  // Tlb::kNoEntry if the line does not pass
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
  Link* links_ = nullptr;             // links of all slots, then of all TLB entries
  uint64_t* entry_stamps_ = nullptr;  // by TLB entry: the last use of its page that did not pass
  uint64_t hint_mask_ = 0;
  uint32_t places_ = 0;
  unsigned line_shift_ = 0;
};

}  // namespace hm::model
