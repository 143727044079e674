// SPDX-License-Identifier: MIT
// The hits of many LRU caches in one pass over the accesses: of every number of ways up to a greatest, and of
// several numbers of sets, each twice the one before. Freestanding.
//
// An access hits in a cache of w ways where fewer than w other lines of its set were used since its line was:
// its depth in the set's recency order, the stack distance (Mattson and others, "Evaluation Techniques for
// Storage Hierarchies", IBM Systems Journal 9 (1970)). Twice the sets divide each set in two (Hill and Smith,
// "Evaluating Associativity in CPU Caches", IEEE Transactions on Computers 38 (1989)): so a line that is the
// most recent of its set is that with more sets too, and nothing changes there.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/lru_sets.h"
#include "model/reuse_times.h"
#include "model/size_counts.h"

namespace hm::model {

// Numbers of lines or pages, as small as an entry of a set: each stretch of 2^24 that is used gets a number
// of its own. The lower bits, by which sets are chosen, stay as they are.
class CompactNumbers {
 public:
  static constexpr unsigned kStretchBits = 24;
  static constexpr uint64_t kNone = ~uint64_t{0};

  CompactNumbers() = default;
  // As many stretches as there are numbers of `bits` bits for.
  CompactNumbers(unsigned bits, Arena& arena)
      : most_((1u << (bits - kStretchBits)) - 1), stretches_(arena.take<uint64_t>(most_)) {}

  // kNone where there are too many stretches.
  [[gnu::always_inline]] uint64_t of(uint64_t number) {
    uint64_t stretch = number >> kStretchBits;
    Known& known = known_[stretch % kKnown];
    if (known.stretch != stretch) [[unlikely]] {
      if (!find(stretch, known)) return kNone;
    }
    return known.first | (number & ((uint64_t{1} << kStretchBits) - 1));
  }

 private:
  static constexpr uint32_t kKnown = 16;
  struct Known {
    uint64_t stretch = kNone;
    uint64_t first = 0;  // the compact number that it begins with
  };

  [[gnu::noinline]] bool find(uint64_t stretch, Known& known) {
    uint32_t i = 0;
    while (i < count_ && stretches_[i] != stretch) ++i;
    if (i == most_) return false;
    if (i == count_) stretches_[count_++] = stretch;
    known = {stretch, uint64_t{i} << kStretchBits};
    return true;
  }

  uint32_t most_ = 0;
  uint32_t count_ = 0;
  uint64_t* stretches_ = nullptr;
  Known known_[kKnown];  // those asked for last, by their lowest bits
};

class StackDistances {
 public:
  // By number of sets: an access's depth, from 0 (its line was the most recent) to SizeRange::ways (it was
  // not there: the access misses at all numbers of ways).
  struct Depths {
    uint8_t of[kMaxSetCounts] = {};

    // Of an access to several lines the greatest: it misses where any of them does.
    void add(const Depths& further) {
      for (uint32_t i = 0; i < kMaxSetCounts; ++i) of[i] = of[i] > further.of[i] ? of[i] : further.of[i];
    }
  };

  StackDistances() = default;
  // Of an empty range nothing may be accessed; without times of reuse access() must not be called.
  StackDistances(const SizeRange& range, Arena& arena, bool takes_reuses = true) : range_(range) {
    if (range.set_counts == 0) return;
    numbers_ = CompactNumbers(number_bits(range), arena);
    if (takes_reuses) reuse_ = ReuseTimes(arena);
    shift_ = shift_of(range.least_sets);
    for (uint32_t i = 0; i < range.set_counts; ++i)
      sets_[i] = LruSets<uint32_t>({range.sets(i), range.ways}, arena);
  }

  // One access to the line (or page) of this number. Its depths, where `depths` is not null.
  [[gnu::always_inline]] void access(uint64_t line, Depths* depths = nullptr) {
    uint64_t number = numbers_.of(line);
    if (number == CompactNumbers::kNone) [[unlikely]]
      return pass_over(depths);
    ++counts_.accesses;
    if (reuse_.advance(number)) [[unlikely]]
      return access_watched(number, depths);
    find_depths(number, depths);
  }

  // Likewise, only counted.
  void count(uint64_t line) {
    uint64_t number = numbers_.of(line);
    if (number == CompactNumbers::kNone) return void(++counts_.unplaced);
    ++counts_.accesses;
    find_depths(number, nullptr);
  }

  [[nodiscard]] const SizeRange& range() const { return range_; }
  [[nodiscard]] SizeCounts& counts() { return counts_; }
  [[nodiscard]] ReuseTimes& reuse_times() { return reuse_; }

 private:
  [[gnu::always_inline]] void find_depths(uint64_t number, Depths* depths) {
    if (sets_[0].most_recent(set_of(number, 0)) == tag_of(number, 0)) [[likely]] {
      ++counts_.at_depth[0][0];
      if (depths != nullptr) *depths = {};
      return;
    }
    touch(number, depths);
  }

  [[gnu::noinline]] void access_watched(uint64_t number, Depths* depths) {
    Depths found;
    find_depths(number, &found);
    reuse_.note(number, range_.set_counts, [&](uint32_t i) { return found.of[i]; });
    if (depths != nullptr) *depths = found;
  }

  // A set's entries do not have the bits that choose the set.
  static constexpr unsigned kEntryBits = 32;
  static constexpr unsigned kMostStretchBits = 10;
  static constexpr unsigned shift_of(uint32_t sets) { return static_cast<unsigned>(__builtin_ctz(sets)); }
  static constexpr unsigned number_bits(const SizeRange& range) {
    unsigned bits = kEntryBits + shift_of(range.least_sets);
    unsigned most = CompactNumbers::kStretchBits + kMostStretchBits;
    return bits < most ? bits : most;
  }

  [[nodiscard]] uint32_t set_of(uint64_t number, uint32_t i) const {
    return static_cast<uint32_t>(number) & (range_.sets(i) - 1);
  }
  [[nodiscard]] uint32_t tag_of(uint64_t number, uint32_t i) const {
    return static_cast<uint32_t>(number >> (shift_ + i));
  }

  [[gnu::noinline]] void pass_over(Depths* depths) {
    ++counts_.unplaced;
    if (depths == nullptr) return;
    for (uint32_t i = 0; i < range_.set_counts; ++i) depths->of[i] = static_cast<uint8_t>(range_.ways);
  }

  [[gnu::noinline]] void touch(uint64_t number, Depths* depths) {
    uint32_t i = 0;
    for (; i < range_.set_counts; ++i) {
      uint32_t depth = sets_[i].touch(set_of(number, i), tag_of(number, i)).position;
      if (depths != nullptr) depths->of[i] = static_cast<uint8_t>(depth);
      if (depth < range_.ways) ++counts_.at_depth[i][depth];
      if (depth == 0) break;
    }
    if (depths == nullptr) return;
    for (; i < range_.set_counts; ++i) depths->of[i] = 0;
  }

  SizeRange range_;
  CompactNumbers numbers_;
  unsigned shift_ = 0;
  LruSets<uint32_t> sets_[kMaxSetCounts];
  SizeCounts counts_;
  ReuseTimes reuse_;
};

}  // namespace hm::model
