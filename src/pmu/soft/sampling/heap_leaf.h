// SPDX-License-Identifier: MIT
// The blocks that begin in one 64-KiB piece of address space. A bit for each 8 bytes marks the starts; a hash
// table holds the blocks. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/bit_levels.h"

namespace hm::soft {

struct HeapBlock {
  uint64_t start;
  uint64_t bytes;
  uint32_t site;
};

inline constexpr unsigned kLeafShift = 16;
inline constexpr uint64_t kLeafBytes = uint64_t{1} << kLeafShift;

// A block's entry in a table with open addressing; all zeros: free.
struct LeafEntry {
  uint32_t low_bytes;
  uint32_t site;
  uint16_t high_bytes;  // and the flags kUsed and kMoves
  uint16_t start;       // offset in the leaf

  static constexpr uint16_t kUsed = 0x8000, kMoves = 0x4000;
  [[nodiscard]] bool used() const { return (high_bytes & kUsed) != 0; }
  [[nodiscard]] bool moves() const { return (high_bytes & kMoves) != 0; }
  [[nodiscard]] uint64_t bytes() const { return uint64_t{high_bytes} % kMoves << 32 | low_bytes; }
};
static_assert(sizeof(LeafEntry) == 12);

inline constexpr uint64_t kMaxBlockBytes = uint64_t{1} << 46;  // limit of an entry's size field

class HeapLeaf {
 public:
  static constexpr unsigned kFirstTableBits = 4, kLastTableBits = 14;

  [[nodiscard]] bool empty() const { return count_ == 0; }
  // At most three quarters of the table's slots are used.
  [[nodiscard]] bool is_full() const { return table_ == nullptr || count_ * 4 >= 3u << table_bits_; }
  [[nodiscard]] unsigned table_bits() const { return table_bits_; }

  // Moves to a zeroed table of 1 << bits entries. Returns the previous table, or null.
  LeafEntry* move_to(LeafEntry* table, unsigned bits) {
    LeafEntry* before = table_;
    uint32_t places = before == nullptr ? 0 : 1u << table_bits_;
    table_ = table;
    table_bits_ = bits;
    for (uint32_t i = 0; i < places; ++i) {
      if (before[i].used()) table_[place_for(granule_of(before[i].start))] = before[i];
    }
    return before;
  }

  // Requires that the leaf is not full. A granule of 8 bytes holds at most one block's start: the last one
  // put.
  void put(uint16_t start, uint64_t bytes, uint32_t site) {
    uint32_t place = place_for(granule_of(start));
    if (!table_[place].used()) {
      ++count_;
      starts_.set(granule_of(start));
    }
    table_[place] = {static_cast<uint32_t>(bytes), site,
                     static_cast<uint16_t>(LeafEntry::kUsed | bytes >> 32), start};
  }

  // Returns null if no block begins there.
  [[nodiscard]] LeafEntry* at(uint16_t start) {
    if (count_ == 0 || !starts_.has(granule_of(start))) return nullptr;
    LeafEntry& entry = table_[place_for(granule_of(start))];
    return entry.start == start ? &entry : nullptr;
  }

  // Moves later entries of the probe sequence up, so that no search ends too early.
  void remove(LeafEntry* entry) {
    starts_.clear(granule_of(entry->start));
    --count_;
    uint32_t mask = (1u << table_bits_) - 1;
    auto hole = static_cast<uint32_t>(entry - table_);
    for (uint32_t next = (hole + 1) & mask; table_[next].used(); next = (next + 1) & mask) {
      uint32_t home = home_of(granule_of(table_[next].start));
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      table_[hole] = table_[next];
      hole = next;
    }
    table_[hole] = {};
  }

  // Return the last block that begins at or before `offset`, and the first that begins at or after it, or
  // null.
  [[nodiscard]] LeafEntry* last_up_to(uint16_t offset) {
    uint32_t granule = starts_.last_up_to(granule_of(offset));
    LeafEntry* entry = in_granule(granule);
    if (entry == nullptr || entry->start <= offset) return entry;
    return granule == 0 ? nullptr : in_granule(starts_.last_up_to(granule - 1));
  }
  [[nodiscard]] LeafEntry* first_from(uint16_t offset) {
    uint32_t granule = starts_.first_from(granule_of(offset));
    LeafEntry* entry = in_granule(granule);
    if (entry == nullptr || entry->start >= offset) return entry;
    return in_granule(starts_.first_from(granule + 1));
  }

 private:
  static constexpr uint32_t kGranules = kLeafBytes / 8;
  using Starts = BitLevels<kGranules>;

  static uint32_t granule_of(uint16_t start) { return start / 8u; }
  [[nodiscard]] uint32_t home_of(uint32_t granule) const {
    return granule * 0x9e3779b1u >> (32 - table_bits_);
  }
  // Returns the slot of the block that begins in the granule, or the slot to put it in.
  [[nodiscard]] uint32_t place_for(uint32_t granule) const {
    uint32_t mask = (1u << table_bits_) - 1;
    uint32_t place = home_of(granule);
    while (table_[place].used() && granule_of(table_[place].start) != granule) place = (place + 1) & mask;
    return place;
  }
  [[nodiscard]] LeafEntry* in_granule(uint32_t granule) {
    return granule == Starts::kNone ? nullptr : &table_[place_for(granule)];
  }

  Starts starts_;
  LeafEntry* table_;
  unsigned table_bits_;
  uint32_t count_;
};

}  // namespace hm::soft
