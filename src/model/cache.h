// SPDX-License-Identifier: MIT
// One level of cache: line numbers in, hit or miss out. True LRU, write-allocate. Freestanding.
#pragma once

#include <stdint.h>

#include "model/lru_sets.h"
#include "model/page_frames.h"

namespace hm::model {

// The number of sets as a divisor: a mask if it is a power of two, else multiplication by the inverse. The
// rounded inverse is exact for numbers of at most kLineNumberBits bits and up to 2^22 sets. The upper bits of
// wider numbers (addresses outside user space, which fault on access) are ignored.
class SetIndex {
 public:
  SetIndex() = default;
  explicit SetIndex(uint32_t sets)
      : sets_(sets),
        mask_(sets - 1),
        power_of_two_((sets & (sets - 1)) == 0),
        inverse_(~uint64_t{0} / sets + 1) {
    while ((uint64_t{1} << shift_) < sets) ++shift_;
  }

  [[nodiscard]] uint32_t set_of(uint64_t line) const {
    return static_cast<uint32_t>(power_of_two_ ? line & mask_ : user_bits(line) - quotient(line) * sets_);
  }
  [[nodiscard]] uint64_t tag_of(uint64_t line) const {
    return power_of_two_ ? line >> shift_ : quotient(line);
  }
  [[nodiscard]] uint64_t number_of(uint32_t set, uint64_t tag) const { return tag * sets_ + set; }
  [[nodiscard]] uint32_t sets() const { return sets_; }

 private:
  static uint64_t user_bits(uint64_t line) { return line & ((uint64_t{1} << kLineNumberBits) - 1); }
  [[nodiscard]] uint64_t quotient(uint64_t line) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(user_bits(line)) * inverse_) >> 64);
  }

  uint32_t sets_ = 1;
  uint32_t mask_ = 0;
  uint32_t shift_ = 0;
  bool power_of_two_ = true;
  uint64_t inverse_ = 0;  // 1 / `sets`, in units of 2^-64
};

// The contents of a cache: lines or pages, with numbers of at most `bits` bits. In a physically indexed
// cache, frames decide the set (Cache::index_by). Each line is still identified by its number, that is, by
// its virtual address.
struct CachedNumbers {
  unsigned bits = kLineNumberBits;
  bool physically_indexed = false;
};
inline constexpr CachedNumbers kCachedPages{kPageNumberBits};

// A cache of lines or, as a second-level TLB, of pages.
class Cache {
 public:
  Cache() = default;
  Cache(SetGeometry geometry, Arena& arena, CachedNumbers what = {})
      : index_(geometry.sets),
        physical_(what.physically_indexed),
        narrow_(!physical_ && has_narrow_tags(geometry, what.bits)) {
    if (narrow_) {
      narrow_rows_ = LruSets<uint32_t>(geometry, arena);
    } else {
      wide_rows_ = LruSets<uint64_t>(geometry, arena);
    }
  }
  void index_by(const PageFrames& frames) { frames_ = frames; }

  static constexpr uint64_t kNothing = ~uint64_t{0};

  // Returns whether the number was present, and makes it the most recent of its set. Sets `*evicted`, unless
  // null, to the number evicted for it, or to kNothing.
  [[gnu::always_inline]] bool access(uint64_t number, uint64_t* evicted = nullptr) {
    if (narrow_) [[likely]]
      return touch(narrow_rows_, index_.set_of(number), index_.tag_of(number), evicted);
    return access_wide(set_of(number), tag_of(number), evicted);
  }
  // Like access(), but `index` decides the set if the lines are physically indexed.
  bool access_at(uint64_t index, uint64_t number) {
    return physical_ ? access_wide(index_.set_of(index), number, nullptr) : access(number);
  }

  // Like access_at(), but returns the number's depth in its set's recency order: how many other numbers of
  // the set were used since its last use. ways() if it was not present.
  [[gnu::noinline]] uint32_t depth_at(uint64_t index, uint64_t number) {
    if (physical_) return wide_rows_.touch(index_.set_of(index), number).position;
    uint32_t set = index_.set_of(number);
    uint64_t tag = index_.tag_of(number);
    return narrow_ ? narrow_rows_.touch(set, static_cast<uint32_t>(tag)).position
                   : wide_rows_.touch(set, tag).position;
  }

  void clear() { narrow_ ? narrow_rows_.clear() : wide_rows_.clear(); }

  // May be called by any core. During a change of the set, the result may be false for a present line.
  [[nodiscard]] bool contains(uint64_t number) const {
    uint32_t set = set_of(number);
    uint64_t tag = tag_of(number);
    return narrow_ ? narrow_rows_.contains(set, static_cast<uint32_t>(tag)) : wide_rows_.contains(set, tag);
  }
  void remove(uint64_t number) {
    uint32_t set = set_of(number);
    uint64_t tag = tag_of(number);
    narrow_ ? narrow_rows_.remove(set, static_cast<uint32_t>(tag)) : wide_rows_.remove(set, tag);
  }
  // Like remove(), but `index` decides the set if the lines are physically indexed.
  void remove_at(uint64_t index, uint64_t number) {
    physical_ ? wide_rows_.remove(index_.set_of(index), number) : remove(number);
  }
  // Calls visit(number) for all resident numbers; it may remove them.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    const auto visit_one = [&](uint32_t set, uint64_t tag) { visit(number_of(set, tag)); };
    narrow_ ? narrow_rows_.for_each(visit_one) : wide_rows_.for_each(visit_one);
  }

  // Calls visit(number) for all resident numbers, the most recent of each set first.
  template <typename Visit>
  void for_each_by_recency(Visit&& visit) const {
    narrow_ ? visit_by_recency(narrow_rows_, visit) : visit_by_recency(wide_rows_, visit);
  }

  // Returns the set that access_at(index, ...) uses.
  [[nodiscard]] uint32_t set_at(uint64_t index) const { return index_.set_of(index); }
  [[nodiscard]] uint32_t sets() const { return index_.sets(); }
  [[nodiscard]] uint32_t ways() const { return narrow_ ? narrow_rows_.ways() : wide_rows_.ways(); }

  [[gnu::always_inline]] void prefetch(uint64_t number) const {
    if (narrow_) narrow_rows_.prefetch(index_.set_of(number));
  }

 private:
  [[nodiscard]] uint32_t set_of(uint64_t number) const {
    return index_.set_of(physical_ ? frames_.physical_line(number) : number);
  }
  [[nodiscard]] uint64_t tag_of(uint64_t number) const { return physical_ ? number : index_.tag_of(number); }
  [[nodiscard]] uint64_t number_of(uint32_t set, uint64_t tag) const {
    return physical_ ? tag : index_.number_of(set, tag);
  }

  [[gnu::noinline]] bool access_wide(uint32_t set, uint64_t tag, uint64_t* evicted) {
    return touch(wide_rows_, set, tag, evicted);
  }
  template <typename Tag>
  [[gnu::always_inline]] bool touch(LruSets<Tag>& rows, uint32_t set, uint64_t tag, uint64_t* evicted) {
    Touch<Tag> touch = rows.touch(set, static_cast<Tag>(tag));
    if (evicted != nullptr)
      *evicted = touch.evicted == LruSets<Tag>::kEmpty ? kNothing : number_of(set, touch.evicted);
    return touch.position != rows.ways();
  }

  template <typename Tag, typename Visit>
  void visit_by_recency(const LruSets<Tag>& rows, Visit& visit) const {
    for (uint32_t way = 0; way < rows.ways(); ++way) {
      for (uint32_t set = 0; set < index_.sets(); ++set) {
        if (Tag tag = rows.at(set, way); tag != LruSets<Tag>::kEmpty) visit(number_of(set, tag));
      }
    }
  }

  // A tag fits 32 bits if the sets take the other bits of the number; the greatest value means "empty".
  static bool has_narrow_tags(SetGeometry geometry, unsigned number_bits) {
    return ((uint64_t{1} << number_bits) - 1) / geometry.sets < 0xffffffffu;
  }

  SetIndex index_;
  bool physical_ = false;
  bool narrow_ = false;
  LruSets<uint32_t> narrow_rows_;
  LruSets<uint64_t> wide_rows_;
  PageFrames frames_;
};

// The contents of the levels below the first.
constexpr CachedNumbers lower_level_lines(const MachineGeometry& geometry) {
  return {kAddressBits - log2_of(geometry.line_bytes), geometry.physical};
}

}  // namespace hm::model
