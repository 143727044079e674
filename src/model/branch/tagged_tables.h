// SPDX-License-Identifier: MIT
// Tables that find the entry of a branch after the longest history that they know: TAGE (Seznec and Michaud,
// "A Case for (Partially) Tagged Geometric History Length Branch Prediction", JILP 2006). Freestanding.
//
// Entry has a `tag`, 0 if it is unused, and gives_way() returns whether another branch may have it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/branch/branch_history.h"

namespace hm::model {

template <typename Entry, unsigned kTables, unsigned kIndexBits>
class TaggedTables {
 public:
  struct Match {
    Entry* entry = nullptr;
    unsigned table = 0;  // of the entry; if there is none, the next longer one is table 0
    [[nodiscard]] unsigned longer() const { return entry == nullptr ? 0 : table + 1; }
  };

  TaggedTables() = default;
  // `lengths`: of the tables' histories, in ascending order.
  TaggedTables(const uint8_t (&lengths)[kTables], Arena& arena)
      : lengths_(lengths), entries_(arena.take<Entry>(size_t{kTables} << kIndexBits)) {}

  // Returns the branch's entry for the longest history in the first `tables` tables.
  [[nodiscard]] Match longest(uint64_t ip, const BranchHistory& history, unsigned tables = kTables) const {
    while (tables-- > 0) {
      Slot slot = slot_of(tables, ip, history);
      if (slot.entry->tag == slot.tag) return {slot.entry, tables};
    }
    return {};
  }

  // Returns a new entry for a longer history than the match, or null if all are useful to other branches,
  // which makes them less so.
  [[nodiscard]] Entry* take_longer(uint64_t ip, const BranchHistory& history, const Match& than) const {
    for (unsigned table = than.longer(); table < kTables; ++table) {
      Slot slot = slot_of(table, ip, history);
      if (!slot.entry->gives_way()) continue;
      *slot.entry = {};
      slot.entry->tag = slot.tag;
      return slot.entry;
    }
    return nullptr;
  }

 private:
  struct Slot {
    Entry* entry;
    uint16_t tag;
  };

  [[nodiscard]] Slot slot_of(unsigned table, uint64_t ip, const BranchHistory& history) const {
    uint64_t mixed = history.mixed(lengths_[table], ip);
    return {&entries_[(size_t{table} << kIndexBits) + (mixed >> (64 - kIndexBits))],
            static_cast<uint16_t>(mixed >> 32 | 1)};
  }

  const uint8_t* lengths_ = nullptr;
  Entry* entries_ = nullptr;
};

}  // namespace hm::model
