// SPDX-License-Identifier: MIT
// A TLB whose recency is known late: most uses of a page pass a filter that only stamps the time of its last
// use. Freestanding.
//
// Stamps grow from access to access. Each set has a queue of its entries in the order of the last stamps that
// are known of them. The first of the queue is the true LRU victim, unless the filter knows of a later use:
// then it moves to where that use belongs, and the next is looked at.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/geometry.h"

namespace hm::model {

inline constexpr uint64_t kNoPage = ~uint64_t{0};

class Tlb {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr uint32_t kNobody = 0;  // an entry that may be written and means nothing

  struct Entry {
    uint64_t page;
    uint64_t stamp;  // of the last use that came here; the filter may know a later one
    uint64_t note;   // the filter's own
    uint32_t next_in_bucket;
  };

  Tlb() = default;
  Tlb(SetGeometry geometry, Arena& arena)
      : index_(geometry.sets), ways_(geometry.ways), room_(4 * geometry.ways) {
    entries_ = arena.take<Entry>(1 + geometry.entries());
    queues_ = arena.take<Queue>(geometry.sets);
    keys_ = arena.take<uint64_t>(uint64_t{geometry.sets} * room_);
    buckets_ = arena.take<uint32_t>(kBuckets);
    if (!arena.measuring()) clear(geometry);
  }

  // The page's entry, or kNone. Entries do not move while their page is resident.
  [[nodiscard]] [[gnu::always_inline]] uint32_t find(uint64_t page) const {
    uint32_t entry = buckets_[bucket_of(page)];
    while (entry != kNone && entries_[entry].page != page) entry = entries_[entry].next_in_bucket;
    return entry;
  }

  [[nodiscard]] Entry& entry(uint32_t index) { return entries_[index]; }

  // Brings in a page that is not resident. `latest_use(entry)` tells the last stamp that the filter knows of
  // an entry (0: none), `leaves(entry)` is told which page goes to make room.
  template <typename LatestUse, typename Leaves>
  [[gnu::always_inline]] uint32_t bring_in(uint64_t page, uint64_t stamp, LatestUse&& latest_use,
                                           Leaves&& leaves) {
    uint32_t set = index_.set_of(page);
    Queue& queue = queues_[set];
    uint32_t way = take_victim(set, queue, latest_use);
    append(queue, keys_of(set), key_of(stamp, way));
    uint32_t index = entry_of(set, way);
    Entry& entry = entries_[index];
    if (entry.page != kNoPage) {
      leaves(entry);
      remove_from_bucket(index);
    }
    uint32_t& bucket = buckets_[bucket_of(page)];
    entry = {page, stamp, 0, bucket};
    bucket = index;
    return index;
  }

 private:
  static constexpr uint32_t kBuckets = 1024;

  // The places of a set's keys that are its queue.
  struct Queue {
    uint32_t first;
    uint32_t end;
  };

  // A key is a stamp and the way it belongs to, ordered by the stamp. Stamps keep 54 bits: 2^53 accesses.
  static constexpr unsigned kWayBits = 10;
  static_assert(kMaxTlbWays == 1u << kWayBits);
  static uint64_t key_of(uint64_t stamp, uint32_t way) { return stamp << kWayBits | way; }
  static uint64_t stamp_of(uint64_t key) { return key >> kWayBits; }
  static uint32_t way_of(uint64_t key) { return static_cast<uint32_t>(key) & (kMaxTlbWays - 1); }

  static uint32_t bucket_of(uint64_t page) { return static_cast<uint32_t>(page) & (kBuckets - 1); }

  [[nodiscard]] uint32_t entry_of(uint32_t set, uint32_t way) const { return 1 + set * ways_ + way; }
  [[nodiscard]] uint64_t* keys_of(uint32_t set) const { return keys_ + uint64_t{set} * room_; }

  void clear(SetGeometry geometry) {
    for (uint32_t i = 0; i < kBuckets; ++i) buckets_[i] = kNone;
    for (uint64_t i = 0; i <= geometry.entries(); ++i) entries_[i] = {kNoPage, 0, 0, kNone};
    for (uint32_t set = 0; set < geometry.sets; ++set) {
      queues_[set] = {0, ways_};
      for (uint32_t way = 0; way < ways_; ++way) keys_of(set)[way] = key_of(0, way);
    }
  }

  template <typename LatestUse>
  [[gnu::always_inline]] uint32_t take_victim(uint32_t set, Queue& queue, LatestUse&& latest_use) {
    uint64_t* keys = keys_of(set);
    while (true) {
      uint64_t oldest = keys[queue.first];
      uint32_t way = way_of(oldest);
      const Entry& entry = entries_[entry_of(set, way)];
      uint64_t seen = entry.page == kNoPage ? 0 : latest_use(entry);
      seen = seen > entry.stamp ? seen : entry.stamp;
      uint64_t key = key_of(seen, way);
      if (key == oldest || queue.first + 1 == queue.end || key < keys[queue.first + 1]) {
        ++queue.first;
        return way;
      }
      move_first(queue, keys, key);
    }
  }

  void append(Queue& queue, uint64_t* keys, uint64_t key) {
    if (queue.end == room_) move_to_start(queue, keys);
    keys[queue.end++] = key;
  }

  // The queue wanders through its room as it is used.
  [[gnu::noinline]] static void move_to_start(Queue& queue, uint64_t* keys) {
    uint32_t length = queue.end - queue.first;
    for (uint32_t i = 0; i < length; ++i) keys[i] = keys[queue.first + i];
    queue = {0, length};
  }

  // The first of the queue moves to where `key` belongs, which is its own from now on; whichever side is shorter
  // makes room.
  [[gnu::noinline]] void move_first(Queue& queue, uint64_t* keys, uint64_t key) {
    if (queue.end == room_) move_to_start(queue, keys);
    uint32_t after = first_greater(keys, queue.first + 1, queue.end, key);
    if (after - queue.first < queue.end - after) {
      for (uint32_t i = queue.first; i + 1 < after; ++i) keys[i] = keys[i + 1];
      keys[after - 1] = key;
      return;
    }
    for (uint32_t i = queue.end; i > after; --i) keys[i] = keys[i - 1];
    keys[after] = key;
    ++queue.first;
    ++queue.end;
  }

  // Where in [from, end) the first key greater than `key` is, or `end`; halving without branches.
  static uint32_t first_greater(const uint64_t* keys, uint32_t from, uint32_t end, uint64_t key) {
    uint32_t length = end - from;
    while (length > 0) {
      uint32_t half = length / 2;
      bool before = keys[from + half] <= key;
      from = before ? from + half + 1 : from;
      length = before ? length - half - 1 : half;
    }
    return from;
  }

  void remove_from_bucket(uint32_t index) {
    uint32_t* link = &buckets_[bucket_of(entries_[index].page)];
    while (*link != index) link = &entries_[*link].next_in_bucket;
    *link = entries_[index].next_in_bucket;
  }

  SetIndex index_;
  uint32_t ways_ = 0;
  uint32_t room_ = 0;          // for the keys of a set
  Entry* entries_ = nullptr;   // nobody's and those of pages, a set's side by side
  Queue* queues_ = nullptr;    // by set
  uint64_t* keys_ = nullptr;   // oldest first
  uint32_t* buckets_ = nullptr;
};

}  // namespace hm::model
