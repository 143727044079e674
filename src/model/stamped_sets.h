// SPDX-License-Identifier: MIT
// A cache whose hits only stamp the time: the ways of a set in no order, each with the stamp of its last use.
// The true LRU victim is the way with the least. Freestanding.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/geometry.h"
#include "model/row_search.h"

namespace hm::model {

class StampedSets {
 public:
  static constexpr uint64_t kNoLine = ~uint64_t{0};
  static constexpr uint32_t kNone = ~uint32_t{0};

  StampedSets() = default;
  // `stamps`, by place, are where an engine may write them; null: the sets' own.
  StampedSets(SetGeometry geometry, Arena& arena, uint64_t* stamps = nullptr)
      : index_(geometry.sets), ways_(geometry.ways), stride_(RowSearch<uint64_t>::stride(geometry.ways)) {
    lines_ = arena.take<uint64_t>(places(geometry));
    stamps_ = stamps != nullptr ? stamps : arena.take<uint64_t>(places(geometry));
    if (arena.measuring()) return;
    for (uint32_t i = 0; i < places(geometry); ++i) {
      lines_[i] = kNoLine;
      stamps_[i] = 0;
    }
  }

  // How many places there are. A place stands for a way of a set.
  static constexpr uint32_t places(SetGeometry geometry) {
    return geometry.sets * RowSearch<uint64_t>::stride(geometry.ways);
  }

  // Where `line` is, or kNone.
  [[nodiscard]] uint32_t find(uint64_t line) const {
    uint32_t start = start_of(line);
    uint64_t found = RowSearch<uint64_t>::matches(lines_ + start, stride_, line);
    return found == 0 ? kNone : start + static_cast<uint32_t>(__builtin_ctzll(found));
  }

  // The place of the line that has to go for `line`.
  [[nodiscard]] uint32_t victim(uint64_t line) const {
    uint32_t start = start_of(line);
    const uint64_t* row = stamps_ + start;
    uint64_t least = row[0];
    uint32_t way = 0;
    for (uint32_t i = 1; i < ways_; ++i) {
      bool less = row[i] < least;
      least = less ? row[i] : least;
      way = less ? i : way;
    }
    return start + way;
  }

  [[nodiscard]] uint64_t line_at(uint32_t place) const { return lines_[place]; }
  [[nodiscard]] uint64_t stamp_at(uint32_t place) const { return stamps_[place]; }
  void put(uint32_t place, uint64_t line) { lines_[place] = line; }
  void stamp(uint32_t place, uint64_t now) { stamps_[place] = now; }

 private:
  [[nodiscard]] uint32_t start_of(uint64_t line) const { return index_.set_of(line) * stride_; }

  SetIndex index_;
  uint32_t ways_ = 0;
  uint32_t stride_ = 1;
  uint64_t* lines_ = nullptr;  // by place
  uint64_t* stamps_ = nullptr;
};

}  // namespace hm::model
