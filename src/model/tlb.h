// SPDX-License-Identifier: MIT
// A first-level TLB of page numbers. True LRU in each set, although most uses are known late (RecencyQueue).
// Freestanding.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/geometry.h"
#include "model/recency_queue.h"

namespace hm::model {

class Tlb {
 public:
  // Entries are numbered from 1, and do not move while their page is resident.
  static constexpr uint32_t kNoEntry = 0;
  static constexpr uint32_t entries(SetGeometry geometry) {
    return 1 + static_cast<uint32_t>(geometry.entries());
  }

  Tlb() = default;
  Tlb(SetGeometry geometry, Arena& arena)
      : index_(geometry.sets), ways_(geometry.ways), entries_(entries(geometry) - 1) {
    uint32_t room = RecencyQueue::room(ways_);
    queues_ = arena.take<RecencyQueue>(geometry.sets);
    auto* keys = arena.take<uint64_t>(uint64_t{geometry.sets} * room);
    pages_ = arena.take<uint64_t>(entries(geometry));
    next_ = arena.take<uint16_t>(entries(geometry));
    buckets_ = arena.take<uint16_t>(kBuckets);
    if (arena.measuring()) return;
    for (uint32_t set = 0; set < geometry.sets; ++set) queues_[set].clear(keys + uint64_t{set} * room, ways_);
    for (uint32_t i = 0; i < entries(geometry); ++i) pages_[i] = kNoPage;
  }

  // Calls visit(page) for all resident pages.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t entry = 1; entry <= entries_; ++entry) {
      if (pages_[entry] != kNoPage) visit(pages_[entry]);
    }
  }

  // The page's entry, or kNoEntry.
  [[nodiscard]] [[gnu::always_inline]] uint32_t find(uint64_t page) const {
    uint32_t entry = *bucket_of(page);
    while (entry != kNoEntry && pages_[entry] != page) entry = next_[entry];
    return entry;
  }

  // Inserts a page that is not resident; returns its entry. `latest_use(entry)` returns the stamp of the last
  // use of the page there. Calls `leaves(entry)` for the entry of the evicted page.
  template <typename LatestUse, typename Leaves>
  [[gnu::always_inline]] uint32_t bring_in(uint64_t page, uint64_t stamp, LatestUse&& latest_use,
                                           Leaves&& leaves) {
    uint32_t set = index_.set_of(page);
    uint32_t before = set * ways_ + 1;
    RecencyQueue& queue = queues_[set];
    uint32_t entry = before + queue.take_victim([&](uint32_t way) {
      return pages_[before + way] == kNoPage ? 0 : latest_use(before + way);
    });
    queue.append(entry - before, stamp);
    if (pages_[entry] != kNoPage) {
      leaves(entry);
      remove_from_bucket(entry);
    }
    pages_[entry] = page;
    next_[entry] = *bucket_of(page);
    *bucket_of(page) = static_cast<uint16_t>(entry);
    return entry;
  }

 private:
  static constexpr uint64_t kNoPage = ~uint64_t{0};
  static constexpr uint32_t kBuckets = 512;

  [[nodiscard]] uint16_t* bucket_of(uint64_t page) const { return &buckets_[page & (kBuckets - 1)]; }

  void remove_from_bucket(uint32_t entry) {
    uint16_t* link = bucket_of(pages_[entry]);
    while (*link != entry) link = &next_[*link];
    *link = next_[entry];
  }

  SetIndex index_;
  uint32_t ways_ = 0;
  uint32_t entries_ = 0;
  RecencyQueue* queues_ = nullptr;  // by set
  uint64_t* pages_ = nullptr;       // by entry
  uint16_t* next_ = nullptr;        // by entry: the next entry in its bucket
  uint16_t* buckets_ = nullptr;     // first entries, by the low bits of their pages
};

}  // namespace hm::model
