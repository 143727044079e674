// SPDX-License-Identifier: MIT
// The hits of many LRU caches in one pass over the accesses: of every number of ways up to a maximum, and of
// several numbers of sets, each twice the previous one. Freestanding.
//
// An access hits in a cache of w ways if fewer than w other lines of its set were used since its line was.
// That number is its depth in the set's recency order, the stack distance (Mattson and others, "Evaluation
// Techniques for Storage Hierarchies", IBM Systems Journal 9 (1970)). Twice the sets divide each set in two
// (Hill and Smith, "Evaluating Associativity in CPU Caches", IEEE Transactions on Computers 38 (1989)). So
// the most recent line of a set is also the most recent with more sets, and nothing changes there.
//
// Sets are independent of each other, so a sample of them can represent all (Kessler, Hill and Wood, "A
// Comparison of Trace-Sampling Techniques for Multi-Megabyte Caches", IEEE Transactions on Computers 43
// (1994)). A set sampled at the smallest number of sets is divided into several sets at a larger number; all
// of these are simulated.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/lru_sets.h"
#include "model/reuse_times.h"
#include "model/size_counts.h"

namespace hm::model {

// Line or page numbers, compacted to fit a set's entries: each used stretch of 2^24 numbers gets a compact
// number. The lower bits, which select the set, are unchanged.
class CompactNumbers {
 public:
  static constexpr unsigned kStretchBits = 24;
  static constexpr uint64_t kNone = ~uint64_t{0};

  CompactNumbers() = default;
  // For as many stretches as numbers of `bits` bits allow.
  CompactNumbers(unsigned bits, Arena& arena)
      : most_((1u << (bits - kStretchBits)) - 1), stretches_(arena.take<uint64_t>(most_)) {}

  // Returns kNone if there are too many stretches.
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
    uint64_t first = 0;  // the compact number of the stretch's first number
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
  Known known_[kKnown];  // recently used stretches, by their lowest bits
};

class StackDistances {
 public:
  // By number of sets: an access's depth, from 0 (its line was the most recent) to SizeRange::ways (absent:
  // the access misses for all numbers of ways).
  struct Depths {
    uint8_t of[kMaxSetCounts] = {};
    bool simulated = true;  // false: the line's set is not simulated, and the depths are unknown

    // Takes the greater depths, for an access to several lines: it misses if one of them misses.
    void add(const Depths& further) {
      simulated = simulated && further.simulated;
      for (uint32_t i = 0; i < kMaxSetCounts; ++i) of[i] = of[i] > further.of[i] ? of[i] : further.of[i];
    }
  };

  StackDistances() = default;
  // With an empty range no function may be called; without reuse times access() must not be called.
  StackDistances(const SizeRange& range, Arena& arena, bool takes_reuses = true) : range_(range) {
    if (range.set_counts == 0) return;
    numbers_ = CompactNumbers(number_bits(range), arena);
    if (takes_reuses) reuse_ = ReuseTimes(arena);
    shift_ = shift_of(range.min_sets);
    for (uint32_t i = 0; i < range.set_counts; ++i)
      sets_[i] = LruSets<uint32_t>({range.sets(i), range.ways}, arena);
    if (range.sampled_shift == 0) return;
    batches_ = arena.take<SizeCounts>(kSizeBatches);
    batch_shift_ = shift_ - range.sampled_shift - shift_of(kSizeBatches);
  }

  // Counts one access to the line (or page) with this number. Sets `*depths` unless null.
  [[gnu::always_inline]] void access(uint64_t line, Depths* depths = nullptr) {
    if (range_.sampled_shift != 0) [[unlikely]]
      return access_some(line, depths);
    uint64_t number = numbers_.of(line);
    if (number == CompactNumbers::kNone) [[unlikely]]
      return pass_over(depths);
    ++counts_.accesses;
    if (reuse_.advance(number)) [[unlikely]]
      return access_watched(number, depths);
    find_depths(number, depths, counts_);
  }

  // Like access(), but only counts.
  void count(uint64_t line) {
    uint64_t number = numbers_.of(line);
    if (number == CompactNumbers::kNone) return void(++counts_.unplaced);
    ++counts_.accesses;
    find_depths(number, nullptr, counts_);
  }

  // Updates the sets for a use of the line at a time when nothing is counted.
  void remember(uint64_t line) {
    if (range_.sampled_shift != 0 && !is_simulated(line)) return;
    uint64_t number = numbers_.of(line);
    if (number == CompactNumbers::kNone) return;
    bool was_first = false;
    for (uint32_t i = 0; i < range_.set_counts && !was_first; ++i)
      was_first = sets_[i].touch(set_of(number, i), tag_of(number, i)).position == 0;
  }

  [[nodiscard]] const SizeRange& range() const { return range_; }
  // If sets are sampled, this has only the number of all accesses; batches(), kSizeBatches of them, have the
  // accesses to simulated sets.
  [[nodiscard]] SizeCounts& counts() { return counts_; }
  [[nodiscard]] SizeCounts* batches() { return batches_; }
  [[nodiscard]] ReuseTimes& reuse_times() { return reuse_; }

 private:
  [[gnu::always_inline]] void find_depths(uint64_t number, Depths* depths, SizeCounts& counts) {
    if (sets_[0].most_recent(set_of(number, 0)) == tag_of(number, 0)) [[likely]] {
      ++counts.at_depth[0][0];
      if (depths != nullptr) *depths = {};
      return;
    }
    touch(number, depths, counts);
  }

  // Of the fewest sets, those with the lowest products are simulated. The factor is odd, so each set has a
  // different product. Neighbouring sets, which programs use together, get products that are far apart.
  [[nodiscard]] uint32_t product_of(uint64_t line) const {
    constexpr uint32_t kFactor = 0x9E3779B1;  // 2^32 over the golden ratio
    return static_cast<uint32_t>(line) * kFactor & (range_.min_sets - 1);
  }

  [[nodiscard]] bool is_simulated(uint64_t line) const {
    return product_of(line) < range_.min_sets >> range_.sampled_shift;
  }

  [[gnu::always_inline]] void access_some(uint64_t line, Depths* depths) {
    ++counts_.accesses;
    if (!is_simulated(line)) {
      if (depths != nullptr) depths->simulated = false;
      return;
    }
    access_simulated(line, depths, batches_[product_of(line) >> batch_shift_]);
  }

  [[gnu::noinline]] void access_simulated(uint64_t line, Depths* depths, SizeCounts& batch) {
    uint64_t number = numbers_.of(line);
    if (number == CompactNumbers::kNone) {
      --counts_.accesses;
      return pass_over(depths);
    }
    ++batch.accesses;
    find_depths(number, depths, batch);
  }

  [[gnu::noinline]] void access_watched(uint64_t number, Depths* depths) {
    Depths found;
    find_depths(number, &found, counts_);
    reuse_.note(number, range_.set_counts, [&](uint32_t i) { return found.of[i]; });
    if (depths != nullptr) *depths = found;
  }

  // A set's entries omit the bits that select the set.
  static constexpr unsigned kEntryBits = 32;
  static constexpr unsigned kMaxStretchBits = 10;
  static constexpr unsigned shift_of(uint32_t sets) { return static_cast<unsigned>(__builtin_ctz(sets)); }
  static constexpr unsigned number_bits(const SizeRange& range) {
    unsigned bits = kEntryBits + shift_of(range.min_sets);
    unsigned most = CompactNumbers::kStretchBits + kMaxStretchBits;
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
    depths->simulated = true;
    for (uint32_t i = 0; i < range_.set_counts; ++i) depths->of[i] = static_cast<uint8_t>(range_.ways);
  }

  [[gnu::noinline]] void touch(uint64_t number, Depths* depths, SizeCounts& counts) {
    uint32_t i = 0;
    for (; i < range_.set_counts; ++i) {
      uint32_t depth = sets_[i].touch(set_of(number, i), tag_of(number, i)).position;
      if (depths != nullptr) depths->of[i] = static_cast<uint8_t>(depth);
      if (depth < range_.ways) ++counts.at_depth[i][depth];
      if (depth == 0) break;
    }
    if (depths == nullptr) return;
    depths->simulated = true;
    for (; i < range_.set_counts; ++i) depths->of[i] = 0;
  }

  SizeRange range_;
  CompactNumbers numbers_;
  unsigned shift_ = 0;
  LruSets<uint32_t> sets_[kMaxSetCounts];
  SizeCounts counts_;
  SizeCounts* batches_ = nullptr;
  unsigned batch_shift_ = 0;  // log2 of the number of products per batch
  ReuseTimes reuse_;
};

}  // namespace hm::model
