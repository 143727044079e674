// SPDX-License-Identifier: MIT
// The ways of a set in the order of their last uses, when most uses are known late. Freestanding.
//
// Stamps grow from use to use. The queue is ordered by each way's last known stamp. Its first way is the LRU
// victim, unless it has a newer use. In that case it moves to the position of that use, and the next way is
// checked.
#pragma once

#include <stdint.h>

#include "model/geometry.h"

namespace hm::model {

// Its owner provides memory for room(ways) keys.
class RecencyQueue {
 public:
  static constexpr uint32_t room(uint32_t ways) { return 4 * ways; }

  // Starts with all ways of a set, all of them unused.
  void clear(uint64_t* keys, uint32_t ways) {
    keys_ = keys;
    room_ = room(ways);
    first_ = 0;
    end_ = ways;
    for (uint32_t way = 0; way < ways; ++way) keys_[way] = key_of(0, way);
  }

  // Takes out the least recently used way. `latest_use(way)` is the stamp of its last use; 0: never used.
  template <typename LatestUse>
  [[gnu::always_inline]] uint32_t take_victim(LatestUse&& latest_use) {
    while (true) {
      uint64_t oldest = keys_[first_];
      uint32_t way = way_of(oldest);
      uint64_t key = key_of(latest_use(way), way);
      if (key == oldest || first_ + 1 == end_ || key < keys_[first_ + 1]) {
        ++first_;
        return way;
      }
      move_first(key);
    }
  }

  // Puts a way back as the most recently used one.
  void append(uint32_t way, uint64_t stamp) {
    if (end_ == room_) move_to_start();
    keys_[end_++] = key_of(stamp, way);
  }

 private:
  // A key is a stamp and its way, ordered by the stamp. Stamps keep 54 bits: 2^53 accesses.
  static constexpr unsigned kWayBits = 10;
  static_assert(kMaxTlbWays == 1u << kWayBits);
  static uint64_t key_of(uint64_t stamp, uint32_t way) { return stamp << kWayBits | way; }
  static uint32_t way_of(uint64_t key) { return static_cast<uint32_t>(key) & (kMaxTlbWays - 1); }

  // The queue moves through its memory as it is used; this moves it back to the start.
  [[gnu::noinline]] void move_to_start() {
    for (uint32_t i = first_; i < end_; ++i) keys_[i - first_] = keys_[i];
    end_ -= first_;
    first_ = 0;
  }

  // Moves the first way, with the new key `key`, to its position; the keys on the shorter side move.
  [[gnu::noinline]] void move_first(uint64_t key) {
    if (end_ == room_) move_to_start();
    uint32_t after = first_greater(key);
    if (after - first_ < end_ - after) {
      for (uint32_t i = first_; i + 1 < after; ++i) keys_[i] = keys_[i + 1];
      keys_[after - 1] = key;
      return;
    }
    for (uint32_t i = end_; i > after; --i) keys_[i] = keys_[i - 1];
    keys_[after] = key;
    ++first_;
    ++end_;
  }

  // Returns the index, after the first key, of the first key greater than `key`, or the end.
  [[nodiscard]] uint32_t first_greater(uint64_t key) const {
    uint32_t from = first_ + 1;
    uint32_t length = end_ - from;
    while (length > 0) {
      uint32_t half = length / 2;
      bool before = keys_[from + half] <= key;
      from = before ? from + half + 1 : from;
      length = before ? length - half - 1 : half;
    }
    return from;
  }

  uint64_t* keys_ = nullptr;
  uint32_t room_ = 0;
  uint32_t first_ = 0;
  uint32_t end_ = 0;
};

}  // namespace hm::model
