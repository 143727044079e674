// SPDX-License-Identifier: MIT
// One modelled core: caches and TLBs behind filters that an engine checks inline. Freestanding.
//
// A filter holds facts that make an access complete without a call:
//   data filter   slot = line & mask. It holds a line's address while that line is the most recent of its L1D
//   set (a hit
//                 then changes nothing in the cache) and its page is in the data TLB and owns its stamp slot
//                 (the engine writes the stamp).
//   fetch flag    one word a code line, not 0 under the same conditions for L1I and the instruction TLB.
// Everything else comes here. An access that does not pass the filter must come before any later access is
// checked.
#pragma once

#include <stdint.h>

#include "model/cache.h"
#include "model/geometry.h"
#include "model/lru_sets.h"
#include "model/tlb.h"

namespace hm::model {

inline constexpr uint32_t kPageSlots = 1024;
// Not canonical: no user address is within a line of it.
inline constexpr uint64_t kNoLineAddress = uint64_t{1} << 63;

// What the engine reads and writes inline; it decides where they lie.
struct Filters {
  uint64_t* data_lines;         // [filter_slots(geometry)]
  uint64_t* data_page_stamps;   // [kPageSlots], index: page & (kPageSlots - 1)
  uint64_t* fetch_page_stamps;  // [kPageSlots]
};

enum class Level : uint8_t { kL1, kL2, kL3, kMemory };
enum class Translation : uint8_t { kFirstTlb, kSecondTlb, kPageWalk };

// What one access met; over two lines or pages, the sum of their misses and the slower of their levels.
struct Outcome {
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  uint8_t l1_misses = 0;
  uint8_t l2_misses = 0;
  uint8_t l3_misses = 0;
  uint8_t tlb_misses = 0;
  uint8_t lines = 0;
  uint32_t latency_cycles = 0;
};

// The power of two that is at least the number of L1D sets.
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

  // Takes its tables from `arena`; while that measures, the machine must not be used.
  Machine(const MachineGeometry& geometry, const Filters& filters, Arena& arena)
      : geometry_(geometry),
        filters_(filters),
        filter_mask_(filter_slots(geometry) - 1),
        line_shift_(log2_of(geometry.line_bytes)),
        page_shift_(log2_of(geometry.page_bytes)),
        l1d_index_(geometry.l1d.sets),
        l1i_index_(geometry.l1i.sets),
        l1d_(geometry.l1d, arena),
        l1i_(geometry.l1i, arena),
        dtlb_(geometry.dtlb, filters.data_page_stamps, kPageSlots, arena),
        itlb_(geometry.itlb, filters.fetch_page_stamps, kPageSlots, arena) {
    l2_ = Cache(geometry.l2, arena);
    if (geometry.l3.present()) l3_ = Cache(geometry.l3, arena);
    if (geometry.second_tlb.present()) second_tlb_ = Cache(geometry.second_tlb, arena);
    fetch_flags_ = arena.take<uint64_t*>(geometry.l1i.sets);
    if (!arena.measuring()) {
      for (uint32_t i = 0; i <= filter_mask_; ++i) filters_.data_lines[i] = kNoLineAddress;
    }
  }

  // A load or store of `bytes` at `address`, at `stamp` and, where it touches a second page, `stamp` + 1.
  Outcome access_data(uint64_t address, uint32_t bytes, uint64_t stamp) {
    Outcome outcome;
    uint64_t line = address >> line_shift_;
    uint64_t last = (address + bytes - 1) >> line_shift_;
    access_line(line, stamp, outcome);
    while (line != last) access_line(++line, stamp + 1, outcome);
    outcome.latency_cycles = latency_of(outcome);
    return outcome;
  }

  // A fetch of the code line. `flag` is that line's filter word, the same one at every call.
  Outcome fetch(uint64_t line, uint64_t stamp, uint64_t* flag) {
    Outcome outcome;
    outcome.lines = 1;
    uint64_t page = page_of(line);
    Tlb::Outcome translated = itlb_.access(page, stamp);
    if (translated.evicted != kNoPage) drop_fetch_page(translated.evicted);
    if (translated.displaced != kNoPage) drop_fetch_page(translated.displaced);
    if (!translated.hit) miss_tlb(page, outcome);

    uint32_t set = l1i_index_.set_of(line);
    if (l1i_.touch(set, line).position == l1i_.ways()) miss_l1(line, outcome);
    if (fetch_flags_[set] != nullptr) *fetch_flags_[set] = 0;
    fetch_flags_[set] = flag;
    *flag = 1;
    outcome.latency_cycles = latency_of(outcome);
    return outcome;
  }

  [[nodiscard]] const MachineGeometry& geometry() const { return geometry_; }
  [[nodiscard]] unsigned line_shift() const { return line_shift_; }
  [[nodiscard]] unsigned page_shift() const { return page_shift_; }

 private:
  [[nodiscard]] uint64_t page_of(uint64_t line) const { return line >> (page_shift_ - line_shift_); }

  void access_line(uint64_t line, uint64_t stamp, Outcome& outcome) {
    ++outcome.lines;
    uint64_t page = page_of(line);
    Tlb::Outcome translated = dtlb_.access(page, stamp);
    if (translated.evicted != kNoPage) drop_data_page(translated.evicted);
    if (translated.displaced != kNoPage) drop_data_page(translated.displaced);
    if (!translated.hit) miss_tlb(page, outcome);

    uint32_t set = l1d_index_.set_of(line);
    uint64_t most_recent = l1d_.most_recent(set);
    if (most_recent != line) {
      uint64_t* old_entry = &filters_.data_lines[most_recent & filter_mask_];
      if (*old_entry == most_recent << line_shift_) *old_entry = kNoLineAddress;
      if (l1d_.touch(set, line).position == l1d_.ways()) miss_l1(line, outcome);
    }
    filters_.data_lines[line & filter_mask_] = line << line_shift_;
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

  void miss_tlb(uint64_t page, Outcome& outcome) {
    ++outcome.tlb_misses;
    bool second = geometry_.second_tlb.present() && second_tlb_.access(page);
    Translation translation = second ? Translation::kSecondTlb : Translation::kPageWalk;
    if (translation > outcome.translation) outcome.translation = translation;
  }

  // Takes the page's lines out of the data filter.
  void drop_data_page(uint64_t page) {
    uint64_t lines = uint64_t{1} << (page_shift_ - line_shift_);
    if (lines > filter_mask_ + 1) {
      for (uint64_t i = 0; i <= filter_mask_; ++i) {
        if (filters_.data_lines[i] >> page_shift_ == page) filters_.data_lines[i] = kNoLineAddress;
      }
      return;
    }
    uint64_t first = (page << page_shift_) >> line_shift_;
    for (uint64_t i = 0; i < lines; ++i) {
      uint64_t& entry = filters_.data_lines[(first + i) & filter_mask_];
      if (entry >> page_shift_ == page) entry = kNoLineAddress;
    }
  }

  void drop_fetch_page(uint64_t page) {
    for (uint32_t set = 0; set < l1i_.sets(); ++set) {
      if (fetch_flags_[set] == nullptr || page_of(l1i_.most_recent(set)) != page) continue;
      *fetch_flags_[set] = 0;
      fetch_flags_[set] = nullptr;
    }
  }

  [[nodiscard]] uint32_t latency_of(const Outcome& outcome) const {
    const Latencies& cost = geometry_.latency;
    const uint32_t by_level[] = {cost.l1, cost.l2, cost.l3, cost.memory};
    const uint32_t by_translation[] = {0, cost.second_tlb, cost.page_walk};
    return by_level[static_cast<unsigned>(outcome.level)] +
           by_translation[static_cast<unsigned>(outcome.translation)];
  }

  MachineGeometry geometry_;
  Filters filters_{};
  uint64_t filter_mask_ = 0;
  unsigned line_shift_ = 0;
  unsigned page_shift_ = 0;
  SetIndex l1d_index_, l1i_index_;
  LruSets<uint64_t> l1d_, l1i_;
  Tlb dtlb_, itlb_;
  Cache l2_, l3_, second_tlb_;
  uint64_t** fetch_flags_ =
      nullptr;  // by L1I set: the flag that is up, if any; its line is the set's most recent
};

}  // namespace hm::model
