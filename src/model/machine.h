// SPDX-License-Identifier: MIT
// One modelled core: two first-level caches and TLBs behind filters, and the levels they share. Freestanding.
#pragma once

#include <stdint.h>

#include "model/cache.h"
#include "model/data_filter.h"
#include "model/fetch_cache.h"
#include "model/geometry.h"
#include "model/lru_sets.h"
#include "model/tlb.h"

namespace hm::model {

enum class Level : uint32_t { kL1, kL2, kL3, kMemory };
enum class Translation : uint32_t { kFirstTlb, kSecondTlb, kPageWalk };

// What one access met; over two lines or pages, the sum of their misses and the slower of their levels. All
// of one width: a host core forwards a store to a load only where the load does not span several stores.
struct Outcome {
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  uint32_t l1_misses = 0;
  uint32_t l2_misses = 0;
  uint32_t l3_misses = 0;
  uint32_t tlb_misses = 0;
  uint32_t lines = 0;
  uint32_t latency_cycles = 0;
};

// The data filter's size: the power of two that is at least the number of L1D sets.
constexpr uint32_t filter_slots(const MachineGeometry& geometry) {
  uint32_t slots = 1;
  while (slots < geometry.l1d.sets) slots *= 2;
  return slots;
}

constexpr unsigned log2_of(uint64_t power_of_two) {
  return static_cast<unsigned>(__builtin_ctzll(power_of_two));
}

class Machine {
 public:
  Machine() = default;

  // Takes its tables from `arena`; while that measures, the machine must not be used. The data filter's
  // `lines` and `stamps` have filter_slots(geometry) entries.
  Machine(const MachineGeometry& geometry, uint64_t* lines, uint64_t* stamps, Arena& arena)
      : geometry_(geometry),
        level_cycles_{geometry.latency.l1, geometry.latency.l2, geometry.latency.l3, geometry.latency.memory},
        translation_cycles_{0, geometry.latency.second_tlb, geometry.latency.page_walk},
        line_shift_(log2_of(geometry.line_bytes)),
        page_shift_(log2_of(geometry.page_bytes)),
        l1d_index_(geometry.l1d.sets),
        l1d_(geometry.l1d, arena),
        dtlb_(geometry.dtlb, arena),
        itlb_(geometry.itlb, arena),
        data_filter_(lines, stamps, filter_slots(geometry), line_shift_, page_shift_, arena),
        fetch_cache_(geometry.l1i, lines_per_page(), arena),
        l2_(geometry.l2, arena) {
    if (geometry.l3.present()) l3_ = Cache(geometry.l3, arena);
    if (geometry.second_tlb.present()) second_tlb_ = Cache(geometry.second_tlb, arena, kPageNumberBits);
  }

  // A load or store of `bytes` at `address` that did not pass the filter, at `stamp` and, where it touches a
  // further line, `stamp` + 1.
  Outcome access_data(uint64_t address, uint32_t bytes, uint64_t stamp) {
    Outcome outcome;
    uint64_t line = address >> line_shift_;
    uint64_t last = (address + bytes - 1) >> line_shift_;
    access_line(line, stamp, outcome);
    while (line != last) access_line(++line, stamp + 1, outcome);
    outcome.latency_cycles = latency_of(outcome);
    return outcome;
  }

  // A fetch of the code line whose word is down. `words` are those of its page's lines, the same ones at
  // every call.
  Outcome fetch(uint64_t line, uint64_t stamp, uint64_t* words) {
    Outcome outcome;
    outcome.lines = 1;
    uint32_t entry = translate(
        page_of(line), stamp, itlb_, outcome,
        [&](const Tlb::Entry& each) {
          return fetch_cache_.latest_use(reinterpret_cast<uint64_t*>(each.note));
        },
        [&](const Tlb::Entry& each) {
          fetch_cache_.drop(each.page, reinterpret_cast<uint64_t*>(each.note));
        });
    itlb_.entry(entry).note = reinterpret_cast<uint64_t>(words);
    if (!fetch_cache_.fetch(line, stamp, words, itlb_)) miss_l1(line, outcome);
    outcome.latency_cycles = latency_of(outcome);
    return outcome;
  }

  [[nodiscard]] const MachineGeometry& geometry() const { return geometry_; }
  [[nodiscard]] unsigned line_shift() const { return line_shift_; }
  [[nodiscard]] unsigned page_shift() const { return page_shift_; }
  [[nodiscard]] uint32_t lines_per_page() const { return 1u << (page_shift_ - line_shift_); }

 private:
  [[nodiscard]] uint64_t page_of(uint64_t line) const { return line >> (page_shift_ - line_shift_); }

  void access_line(uint64_t line, uint64_t stamp, Outcome& outcome) {
    ++outcome.lines;
    uint32_t entry = translate(
        page_of(line), stamp, dtlb_, outcome,
        [&](const Tlb::Entry& each) { return data_filter_.latest_use(each); },
        [&](const Tlb::Entry& each) { data_filter_.drop(each); });
    uint32_t set = l1d_index_.set_of(line);
    uint64_t most_recent = l1d_.most_recent(set);
    if (most_recent != line && l1d_.touch(set, line).position == l1d_.ways()) miss_l1(line, outcome);
    data_filter_.put(line, most_recent, stamp, entry, dtlb_);
  }

  // The page's entry, brought in where it was missing: see Tlb::bring_in.
  template <typename LatestUse, typename Leaves>
  uint32_t translate(uint64_t page, uint64_t stamp, Tlb& tlb, Outcome& outcome, LatestUse&& latest_use,
                     Leaves&& leaves) {
    uint32_t entry = tlb.find(page);
    if (entry != Tlb::kNone) {
      tlb.entry(entry).stamp = stamp;
      return entry;
    }
    ++outcome.tlb_misses;
    bool second = geometry_.second_tlb.present() && second_tlb_.access(page);
    Translation translation = second ? Translation::kSecondTlb : Translation::kPageWalk;
    if (translation > outcome.translation) outcome.translation = translation;
    return tlb.bring_in(page, stamp, latest_use, leaves);
  }

  void miss_l1(uint64_t line, Outcome& outcome) {
    if (geometry_.l3.present()) l3_.prefetch(line);
    ++outcome.l1_misses;
    Level level = Level::kL2;
    if (!l2_.access(line)) {
      ++outcome.l2_misses;
      level = Level::kMemory;
      if (geometry_.l3.present()) {
        if (l3_.access(line)) {
          level = Level::kL3;
        } else {
          ++outcome.l3_misses;
        }
      }
    }
    if (level > outcome.level) outcome.level = level;
  }

  [[nodiscard]] uint32_t latency_of(const Outcome& outcome) const {
    return level_cycles_[static_cast<uint32_t>(outcome.level)] +
           translation_cycles_[static_cast<uint32_t>(outcome.translation)];
  }

  MachineGeometry geometry_;
  uint32_t level_cycles_[4] = {};
  uint32_t translation_cycles_[3] = {};
  unsigned line_shift_ = 0;
  unsigned page_shift_ = 0;
  SetIndex l1d_index_;
  LruSets<uint64_t> l1d_;
  Tlb dtlb_, itlb_;
  DataFilter data_filter_;
  FetchCache fetch_cache_;
  Cache l2_, l3_, second_tlb_;
};

}  // namespace hm::model
