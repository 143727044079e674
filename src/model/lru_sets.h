// SPDX-License-Identifier: MIT
// Sets of tags, each ordered by recency: the most recent first, so the last is the victim. Freestanding.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "model/arena.h"
#include "model/geometry.h"
#include "model/row_search.h"

namespace hm::model {

// The outcome of touching one entry. `position` is the depth in the set's recency order before the touch (a
// stack distance within the set): 0 is the most recent, `ways` means absent.
template <typename Tag>
struct Touch {
  uint32_t position;
  Tag evicted;  // the tag that left the set to make room, or kEmpty
};

// Tag is unsigned; its greatest value means "empty". Narrow tags keep a 16-way row in one host cache line,
// the main cost of a lookup when the program under test misses.
template <typename Tag>
class LruSets {
 public:
  static constexpr Tag kEmpty = static_cast<Tag>(~Tag{0});

  LruSets() = default;
  LruSets(SetGeometry geometry, Arena& arena)
      : sets_(geometry.sets), ways_(geometry.ways), stride_(RowSearch<Tag>::stride(geometry.ways)) {
    rows_ = arena.take<Tag>(uint64_t{sets_} * stride_);
    if (!arena.measuring()) clear();
  }

  void clear() {
    for (uint64_t i = 0; i < uint64_t{sets_} * stride_; ++i) rows_[i] = kEmpty;
  }

  // Makes `tag` the most recent of its set.
  [[gnu::always_inline]] Touch<Tag> touch(uint32_t set, Tag tag) {
    Tag* row = row_of(set);
    uint32_t position = RowSearch<Tag>::find(row, stride_, tag);
    if (position == RowSearch<Tag>::kAbsent) position = ways_;
    uint32_t last = position == ways_ ? ways_ - 1 : position;
    Tag evicted = position == ways_ ? row[last] : kEmpty;
    move_to_front(row, tag, last);
    return {position, evicted};
  }

  [[nodiscard]] bool contains(uint32_t set, Tag tag) const {
    return RowSearch<Tag>::find(row_of(set), stride_, tag) != RowSearch<Tag>::kAbsent;
  }

  // Entries less recent than `tag` move one position towards the front.
  void remove(uint32_t set, Tag tag) {
    Tag* row = row_of(set);
    uint32_t position = RowSearch<Tag>::find(row, stride_, tag);
    if (position == RowSearch<Tag>::kAbsent) return;
    for (uint32_t i = position; i + 1 < ways_; ++i) row[i] = row[i + 1];
    row[ways_ - 1] = kEmpty;
  }

  // Calls visit(set, tag) for all resident tags; it may remove them.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t set = 0; set < sets_; ++set) {
      for (uint32_t way = ways_; way-- > 0;) {
        if (row_of(set)[way] != kEmpty) visit(set, row_of(set)[way]);
      }
    }
  }

  // kEmpty if the slot is empty.
  [[nodiscard]] Tag most_recent(uint32_t set) const { return *row_of(set); }
  [[nodiscard]] Tag at(uint32_t set, uint32_t position) const { return row_of(set)[position]; }

  [[nodiscard]] uint32_t ways() const { return ways_; }

  // GCC drops calls of functions that only prefetch, as if they did nothing, so all such functions are
  // inlined.
  [[gnu::always_inline]] void prefetch(uint32_t set) const { __builtin_prefetch(row_of(set)); }

 private:
  using Vector = typename RowSearch<Tag>::Vector;
  static constexpr uint32_t kLanes = RowSearch<Tag>::kLanes;

  [[nodiscard]] Tag* row_of(uint32_t set) const { return rows_ + uint64_t{set} * stride_; }

  // Moves row[0..last) one position down and puts `tag` before it. Selects lanes up to `last`, because a loop
  // over only the moving lanes would be mispredicted.
  [[gnu::always_inline]] static void move_to_front(Tag* row, Tag tag, uint32_t last) {
    Vector before = Vector{} + tag;
    for (uint32_t i = 0; i <= last; i += kLanes) {
      auto* place = reinterpret_cast<Vector*>(row + i);
      Vector now = *place;
      auto moves = lane_numbers() <= static_cast<SignedLane>(last - i);
      *place = moves ? one_down(before, now) : now;
      before = now;
    }
  }

  // Returns the last lane of `before` and all but the last of `now`.
  [[gnu::always_inline]] static Vector one_down(Vector before, Vector now) {
    if constexpr (kLanes == 4) {
      return __builtin_shufflevector(before, now, 3, 4, 5, 6);
    } else {
      return __builtin_shufflevector(before, now, 1, 2);
    }
  }

  using SignedLane = std::conditional_t<kLanes == 4, int32_t, int64_t>;
  typedef SignedLane SignedVector __attribute__((vector_size(16)));
  static constexpr SignedVector lane_numbers() {
    if constexpr (kLanes == 4) {
      return SignedVector{0, 1, 2, 3};
    } else {
      return SignedVector{0, 1};
    }
  }

  uint32_t sets_ = 0;
  uint32_t ways_ = 0;
  uint32_t stride_ = 0;
  Tag* rows_ = nullptr;
};

}  // namespace hm::model
