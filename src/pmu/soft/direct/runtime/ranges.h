// SPDX-License-Identifier: MIT
// Sets of address ranges.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {

struct Range {
  uint64_t start, end;
};

// A sorted set of ranges that neither overlap nor touch. They lie in blocks of at most kBlockRanges, so that
// the number of ranges that a change moves is bounded.
class Ranges {
 public:
  // Returns the end of the range that holds `address`; 0 if there is none.
  [[nodiscard]] uint64_t end_at(uint64_t address) const {
    const Range* range = get(first_behind(address));
    return range != nullptr && range->start <= address ? range->end : 0;
  }

  // Returns true if one range holds all of [start, end).
  [[nodiscard]] bool hold(uint64_t start, uint64_t end) const { return end_at(start) >= end; }

  // Returns the overlap of [start, end) with the first range that overlaps it; an empty range if none does.
  [[nodiscard]] Range first_in(uint64_t start, uint64_t end) const {
    const Range* found = get(first_behind(start));
    if (found == nullptr || found->start >= end) return {end, end};
    return {found->start > start ? found->start : start, found->end < end ? found->end : end};
  }

  // Returns true if a range could not be added for lack of memory since the last clear().
  [[nodiscard]] bool lost_any() const { return lost_any_; }
  // Returns true if the next change may exceed the maximum number of ranges.
  [[nodiscard]] bool is_nearly_full() const { return count_ + 2 > kMost; }
  void clear() {
    while (block_count_ != 0) free_block(block_count_ - 1);
    count_ = 0;
    lost_any_ = false;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  void add(uint64_t start, uint64_t end) {
    if (start >= end) return;
    remove(start, end);
    if (const Range* before = start == 0 ? nullptr : get(first_behind(start - 1));
        before != nullptr && before->end == start) {
      uint64_t joined = before->start;
      erase(first_behind(start - 1));
      start = joined;
    }
    if (const Range* behind = get(first_behind(end)); behind != nullptr && behind->start == end) {
      uint64_t joined = behind->end;
      erase(first_behind(end));
      end = joined;
    }
    insert({start, end});
  }

  void remove(uint64_t start, uint64_t end) {
    while (true) {
      Position position = first_behind(start);
      const Range* found = get(position);
      if (found == nullptr || found->start >= end) return;
      Range old = *found;
      erase(position);
      if (old.start < start) insert({old.start, start});
      if (old.end > end) insert({end, old.end});
    }
  }

 private:
  static constexpr uint32_t kMost = 1u << 20;
  static constexpr uint32_t kBlockRanges = 256;
  // Two neighbouring blocks together have more ranges than half a block: see join().
  static constexpr uint32_t kMaxBlocks = 4 * kMost / kBlockRanges + 2;

  struct Block {
    uint32_t count;
    Block* next_free;
    Range ranges[kBlockRanges];
  };
  struct Position {
    uint32_t block;  // block_count_ for the position behind all ranges
    uint32_t index;
  };

  [[nodiscard]] const Range* get(Position position) const {
    return position.block == block_count_ ? nullptr : &blocks_[position.block]->ranges[position.index];
  }

  // Returns the position of the first range that ends behind `address`.
  [[nodiscard]] Position first_behind(uint64_t address) const {
    uint32_t block = first_of(
        block_count_, [&](uint32_t i) { return blocks_[i]->ranges[blocks_[i]->count - 1].end > address; });
    if (block == block_count_) return {block, 0};
    const Block& holds = *blocks_[block];
    return {block, first_of(holds.count, [&](uint32_t i) { return holds.ranges[i].end > address; })};
  }

  // Returns the first number below `count` for which is_behind() is true, as it is for all larger numbers;
  // `count` if there is none.
  template <typename IsBehind>
  static uint32_t first_of(uint32_t count, IsBehind&& is_behind) {
    uint32_t low = 0, high = count;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (is_behind(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  void insert(Range range) {
    Position position = first_behind(range.start);
    if (position.block == block_count_ && block_count_ != 0)
      position = {block_count_ - 1, blocks_[block_count_ - 1]->count};
    bool has_room = count_ < kMost && (block_count_ != 0 || add_block(0));
    if (has_room && blocks_[position.block]->count == kBlockRanges) has_room = split(position);
    if (!has_room) {
      lost_any_ = true;
      return;
    }
    Block& block = *blocks_[position.block];
    for (uint32_t i = block.count++; i > position.index; --i) block.ranges[i] = block.ranges[i - 1];
    block.ranges[position.index] = range;
    ++count_;
  }

  void erase(Position position) {
    Block& block = *blocks_[position.block];
    --block.count;
    --count_;
    for (uint32_t i = position.index; i < block.count; ++i) block.ranges[i] = block.ranges[i + 1];
    if (block.count == 0) return free_block(position.block);
    if (position.block + 1 < block_count_) join(position.block);
    if (position.block != 0) join(position.block - 1);
  }

  // Moves the block's upper half to a new block, and updates `position`. Returns false if there is no memory.
  bool split(Position& position) {
    constexpr uint32_t kHalf = kBlockRanges / 2;
    if (!add_block(position.block + 1)) return false;
    Block &lower = *blocks_[position.block], &upper = *blocks_[position.block + 1];
    for (uint32_t i = kHalf; i < kBlockRanges; ++i) upper.ranges[i - kHalf] = lower.ranges[i];
    lower.count = kHalf;
    upper.count = kBlockRanges - kHalf;
    if (position.index > kHalf) position = {position.block + 1, position.index - kHalf};
    return true;
  }

  // Merges the block with the next one if they have few ranges.
  void join(uint32_t number) {
    Block &lower = *blocks_[number], &upper = *blocks_[number + 1];
    if (lower.count + upper.count > kBlockRanges / 2) return;
    for (uint32_t i = 0; i < upper.count; ++i) lower.ranges[lower.count + i] = upper.ranges[i];
    lower.count += upper.count;
    free_block(number + 1);
  }

  bool add_block(uint32_t number) {
    if (blocks_ == nullptr) blocks_ = take<Block*>(kMaxBlocks);
    Block* added = free_;
    if (added != nullptr)
      free_ = added->next_free;
    else
      added = take<Block>();
    if (blocks_ == nullptr || added == nullptr || block_count_ == kMaxBlocks) return false;
    for (uint32_t i = block_count_++; i > number; --i) blocks_[i] = blocks_[i - 1];
    blocks_[number] = added;
    added->count = 0;
    return true;
  }

  void free_block(uint32_t number) {
    blocks_[number]->next_free = free_;
    free_ = blocks_[number];
    --block_count_;
    for (uint32_t i = number; i < block_count_; ++i) blocks_[i] = blocks_[i + 1];
  }

  Block** blocks_ = nullptr;
  Block* free_ = nullptr;
  uint32_t block_count_ = 0;
  uint32_t count_ = 0;  // number of ranges
  bool lost_any_ = false;
};

}  // namespace hm::soft::direct
