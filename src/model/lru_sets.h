// SPDX-License-Identifier: MIT
// Sets of tags, each ordered by recency: the most recent first, so the last is the victim. Freestanding.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/geometry.h"

namespace hm::model {

// The outcome of touching one entry. `position` is the depth in the set's recency order before the touch (a
// stack distance in the set): 0 is the most recent, `ways` means it was not there.
template <typename Tag>
struct Touch {
  uint32_t position;
  Tag evicted;  // what left the set to make room; kEmpty if nothing did
};

// Tag is unsigned; its greatest value means "empty". Narrow tags keep a 16-way row in one host cache line,
// which is what a lookup costs where the program under test misses.
template <typename Tag>
class LruSets {
 public:
  static constexpr Tag kEmpty = static_cast<Tag>(~Tag{0});

  LruSets() = default;
  LruSets(SetGeometry geometry, Arena& arena)
      : sets_(geometry.sets), ways_(geometry.ways), stride_(row_stride(geometry.ways)) {
    rows_ = arena.take<Tag>(uint64_t{sets_} * stride_);
    if (!arena.measuring()) clear();
  }

  void clear() {
    for (uint64_t i = 0; i < uint64_t{sets_} * stride_; ++i) rows_[i] = kEmpty;
  }

  // Makes `tag` the most recent of its set.
  Touch<Tag> touch(uint32_t set, Tag tag) {
    Tag* row = row_of(set);
    uint32_t position = find(row, tag);
    uint32_t last = position == ways_ ? ways_ - 1 : position;
    Tag evicted = position == ways_ ? row[last] : kEmpty;
    make_room(row, last);
    row[0] = tag;
    return {position, evicted};
  }

  [[nodiscard]] Tag most_recent(uint32_t set) const { return row_of(set)[0]; }
  [[nodiscard]] uint32_t sets() const { return sets_; }
  [[nodiscard]] uint32_t ways() const { return ways_; }

  void prefetch(uint32_t set) const { __builtin_prefetch(row_of(set)); }

 private:
  static constexpr uint32_t kLanes = 16 / sizeof(Tag);
  typedef Tag Vector __attribute__((vector_size(16), may_alias, aligned(sizeof(Tag))));

  // Rows are whole vectors; those of up to a host line do not straddle lines.
  static constexpr uint32_t row_stride(uint32_t ways) { return (ways + kLanes - 1) / kLanes * kLanes; }

  [[nodiscard]] Tag* row_of(uint32_t set) const { return rows_ + uint64_t{set} * stride_; }

  // The position of `tag`, or ways_. Padding is empty, and no caller looks for kEmpty. The whole row is
  // compared before anything is decided: a branch for each vector would be mispredicted more often than it
  // saves work.
  [[nodiscard]] uint32_t find(const Tag* row, Tag tag) const {
    uint64_t found = stride_ == 8    ? match<8>(row, tag)
                     : stride_ == 12 ? match<12>(row, tag)
                     : stride_ == 16 ? match<16>(row, tag)
                     : stride_ == 24 ? match<24>(row, tag)
                                     : match_any(row, tag);
    return found == 0 ? ways_ : static_cast<uint32_t>(__builtin_ctzll(found));
  }

  // A bit for each place of the row that holds `tag`; unrolled for the most common lengths.
  template <uint32_t kStride>
  static uint64_t match(const Tag* row, Tag tag) {
    Vector wanted = Vector{} + tag;
    uint64_t found = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < kStride; i += kLanes) {
      found |= lane_mask(*reinterpret_cast<const Vector*>(row + i) == wanted) << i;
    }
    return found;
  }
  [[nodiscard]] uint64_t match_any(const Tag* row, Tag tag) const {
    Vector wanted = Vector{} + tag;
    uint64_t found = 0;
    for (uint32_t i = 0; i < stride_; i += kLanes) {
      found |= lane_mask(*reinterpret_cast<const Vector*>(row + i) == wanted) << i;
    }
    return found;
  }

  // Moves row[0..last) one place down.
  static void make_room(Tag* row, uint32_t last) {
    uint32_t i = last;
    for (; i >= kLanes; i -= kLanes) {
      *reinterpret_cast<Vector*>(row + i - kLanes + 1) = *reinterpret_cast<const Vector*>(row + i - kLanes);
    }
    for (; i > 0; --i) row[i] = row[i - 1];
  }

  // A bit for each lane that is all ones.
  template <typename V>
  static uint64_t lane_mask(V equal) {
    if constexpr (sizeof(Tag) == 4) {
      typedef float Floats __attribute__((vector_size(16)));
      return static_cast<uint64_t>(__builtin_ia32_movmskps(reinterpret_cast<Floats>(equal)));
    } else {
      typedef double Doubles __attribute__((vector_size(16)));
      return static_cast<uint64_t>(__builtin_ia32_movmskpd(reinterpret_cast<Doubles>(equal)));
    }
  }

  uint32_t sets_ = 0;
  uint32_t ways_ = 0;
  uint32_t stride_ = 0;
  Tag* rows_ = nullptr;
};

}  // namespace hm::model
