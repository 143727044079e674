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
    Tag evicted = position == ways_ ? row[ways_ - 1] : kEmpty;
    uint32_t last = position == ways_ ? ways_ - 1 : position;
    for (uint32_t i = last; i > 0; --i) row[i] = row[i - 1];
    row[0] = tag;
    return {position, evicted};
  }

  // Takes `tag` out of its set, if it is there.
  void remove(uint32_t set, Tag tag) {
    Tag* row = row_of(set);
    uint32_t position = find(row, tag);
    if (position == ways_) return;
    for (uint32_t i = position; i + 1 < ways_; ++i) row[i] = row[i + 1];
    row[ways_ - 1] = kEmpty;
  }

  [[nodiscard]] bool contains(uint32_t set, Tag tag) const { return find(row_of(set), tag) != ways_; }
  [[nodiscard]] Tag most_recent(uint32_t set) const { return row_of(set)[0]; }
  [[nodiscard]] uint32_t sets() const { return sets_; }
  [[nodiscard]] uint32_t ways() const { return ways_; }

  void prefetch(uint32_t set) const { __builtin_prefetch(row_of(set)); }

 private:
  static constexpr uint32_t kLanes = 16 / sizeof(Tag);
  typedef Tag Vector __attribute__((vector_size(16), may_alias));

  // Rows are whole vectors; those of up to a host line do not straddle lines.
  static constexpr uint32_t row_stride(uint32_t ways) { return (ways + kLanes - 1) / kLanes * kLanes; }

  [[nodiscard]] Tag* row_of(uint32_t set) const { return rows_ + uint64_t{set} * stride_; }

  // The position of `tag`, or ways_. Padding is empty, and no caller looks for kEmpty.
  [[nodiscard]] uint32_t find(const Tag* row, Tag tag) const {
    Vector wanted = Vector{} + tag;
    for (uint32_t i = 0; i < stride_; i += kLanes) {
      auto equal = *reinterpret_cast<const Vector*>(row + i) == wanted;
      uint32_t mask = byte_mask(equal);
      if (mask != 0)
        return i + static_cast<uint32_t>(static_cast<unsigned>(__builtin_ctz(mask)) / sizeof(Tag));
    }
    return ways_;
  }

  template <typename V>
  static uint32_t byte_mask(V equal) {
    typedef char ByteVector __attribute__((vector_size(16)));
    return static_cast<uint32_t>(__builtin_ia32_pmovmskb128(reinterpret_cast<ByteVector>(equal)));
  }

  uint32_t sets_ = 0;
  uint32_t ways_ = 0;
  uint32_t stride_ = 0;
  Tag* rows_ = nullptr;
};

}  // namespace hm::model
