// SPDX-License-Identifier: MIT
// A cache in which a hit only writes the time: the ways of a set are unordered, and each has the stamp of its
// last use. The LRU victim is the way with the smallest stamp. Freestanding.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/geometry.h"
#include "model/row_search.h"

namespace hm::model {

// Slot has a `stamp`, the time of the line's last use.
template <typename Slot>
class StampedSets {
 public:
  static constexpr uint64_t kNoLine = ~uint64_t{0};
  static constexpr uint32_t kNone = ~uint32_t{0};

  StampedSets() = default;
  // `at`: the slots, in memory in which an engine writes their stamps.
  StampedSets(SetGeometry geometry, Arena& arena, Slot* at)
      : index_(geometry.sets), ways_(geometry.ways), stride_(RowSearch<uint64_t>::stride(geometry.ways)) {
    lines_ = arena.take<uint64_t>(places(geometry));
    places_ = at;
    place_count_ = places(geometry);
    if (arena.measuring()) return;
    for (uint32_t i = 0; i < places(geometry); ++i) {
      lines_[i] = kNoLine;
      places_[i].stamp = 0;
    }
  }

  // Returns the number of slots: one per way of each set, with rows rounded up.
  static constexpr uint32_t places(SetGeometry geometry) {
    return geometry.sets * RowSearch<uint64_t>::stride(geometry.ways);
  }

  // Returns the slot of `line`, or kNone.
  [[nodiscard]] [[gnu::always_inline]] uint32_t find(uint64_t line) const {
    uint32_t start = start_of(line);
    uint32_t way = RowSearch<uint64_t>::find(lines_ + start, stride_, line);
    return way == RowSearch<uint64_t>::kAbsent ? kNone : start + way;
  }

  // Returns the slot of the line that has to be evicted for `line`.
  [[nodiscard]] [[gnu::always_inline]] uint32_t victim(uint64_t line) const {
    uint32_t start = start_of(line);
    const Slot* row = places_ + start;
    return start + (ways_ == 8 ? least_of(row, 8) : ways_ == 12 ? least_of(row, 12) : least_of(row, ways_));
  }

  [[nodiscard]] uint64_t line_at(uint32_t place) const { return lines_[place]; }
  [[nodiscard]] uint64_t stamp_at(uint32_t place) const { return places_[place].stamp; }
  void put(uint32_t place, uint64_t line) { lines_[place] = line; }
  void stamp(uint32_t place, uint64_t now) { places_[place].stamp = now; }
  // Empties slot `place`: the next line of its set goes there.
  void clear(uint32_t place) {
    lines_[place] = kNoLine;
    places_[place].stamp = 0;
  }
  // Calls visit(line) for all resident lines; it may clear their slots.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t i = 0; i < place_count_; ++i) {
      if (lines_[i] != kNoLine) visit(lines_[i]);
    }
  }

  // Returns how many lines were last used between the use of `line` at `after` and `before`. Lines of one
  // access may have equal stamps: the lower line is the older.
  [[nodiscard]] uint32_t count_between(uint64_t after, uint64_t line, uint64_t before) const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < place_count_; ++i) {
      uint64_t stamp = places_[i].stamp;
      bool since = stamp > after || (stamp == after && lines_[i] > line && lines_[i] != kNoLine);
      count += since && stamp < before ? 1 : 0;
    }
    return count;
  }

 private:
  // Combines each stamp with its way, so that the smallest key is found without a branch, which would be
  // mispredicted at every other miss. Unrolled if `ways` is a constant.
  [[gnu::always_inline]] static uint32_t least_of(const Slot* row, uint32_t ways) {
    constexpr unsigned kWayBits = 5;
    static_assert(kMaxCacheWays == 1u << kWayBits);
    uint64_t least = row[0].stamp << kWayBits;
#pragma GCC unroll 12
    for (uint32_t way = 1; way < ways; ++way) {
      uint64_t key = row[way].stamp << kWayBits | way;
      least = key < least ? key : least;
    }
    return least & (kMaxCacheWays - 1);
  }

  [[nodiscard]] uint32_t start_of(uint64_t line) const { return index_.set_of(line) * stride_; }

  SetIndex index_;
  uint32_t ways_ = 0;
  uint32_t stride_ = 1;
  uint32_t place_count_ = 0;
  uint64_t* lines_ = nullptr;  // by slot
  Slot* places_ = nullptr;
};

}  // namespace hm::model
