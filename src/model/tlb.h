// SPDX-License-Identifier: MIT
// A TLB whose recency is known late: most uses of a page pass a filter that only stamps the time of its last
// use. Freestanding.
//
// Stamps grow from access to access. Each set lists its entries by the stamp they had when last looked at;
// real stamps only grow, so a listed stamp is a lower bound, and the tail is the true LRU victim once its
// listed stamp is its real one. A tail that was used since is moved up to where it belongs: recency is
// corrected when a victim is chosen.
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

  struct Entry {
    uint64_t page;
    uint64_t stamp;         // of the last use that came here; the filter may know a later one
    uint64_t listed_stamp;  // what its place in the set's list is by
    uint64_t
        filter_slots;  // the filter's own note: which of its slots, modulo 64, may hold lines of the page
    uint32_t newer, older;  // neighbours in the set's list
    uint32_t next_in_bucket;
  };

  Tlb() = default;
  Tlb(SetGeometry geometry, Arena& arena)
      : index_(geometry.sets), sets_(geometry.sets), ways_(geometry.ways) {
    entries_ = arena.take<Entry>(geometry.entries());
    recency_ = arena.take<Recency>(sets_);
    buckets_ = arena.take<uint32_t>(kBuckets);
    if (!arena.measuring()) clear();
  }

  void clear() {
    for (uint32_t i = 0; i < kBuckets; ++i) buckets_[i] = kNone;
    for (uint32_t set = 0; set < sets_; ++set) {
      recency_[set] = {kNone, kNone};
      for (uint32_t i = set * ways_; i < (set + 1) * ways_; ++i) {
        entries_[i] = {kNoPage, 0, 0, 0, kNone, kNone, kNone};
        insert_after(set, i, kNone);
      }
    }
  }

  // The page's entry, or kNone. Entries do not move while their page is resident.
  [[gnu::always_inline]] [[nodiscard]] uint32_t find(uint64_t page) const {
    uint32_t entry = buckets_[bucket_of(page)];
    while (entry != kNone && entries_[entry].page != page) entry = entries_[entry].next_in_bucket;
    return entry;
  }

  [[nodiscard]] Entry& entry(uint32_t index) { return entries_[index]; }

  // Brings in a page that is not resident. `latest_use(entry)` tells the last stamp that the filter knows of
  // an entry (0: none), `leaves(entry)` is told which page goes to make room.
  template <typename LatestUse, typename Leaves>
  uint32_t bring_in(uint64_t page, uint64_t stamp, LatestUse&& latest_use, Leaves&& leaves) {
    uint32_t set = index_.set_of(page);
    uint32_t index = take_victim(set, latest_use);
    Entry& entry = entries_[index];
    if (entry.page != kNoPage) {
      leaves(entry);
      remove_from_bucket(index);
    }
    uint32_t& bucket = buckets_[bucket_of(page)];
    entry = {page, stamp, stamp, 0, kNone, kNone, bucket};
    bucket = index;
    insert_after(set, index, kNone);
    return index;
  }

 private:
  static constexpr uint32_t kBuckets = 1024;

  struct Recency {
    uint32_t newest, oldest;
  };

  static uint32_t bucket_of(uint64_t page) { return static_cast<uint32_t>(page) & (kBuckets - 1); }

  // Unlinks the least recently used entry of the set.
  template <typename LatestUse>
  uint32_t take_victim(uint32_t set, LatestUse&& latest_use) {
    while (true) {
      uint32_t oldest = recency_[set].oldest;
      Entry& entry = entries_[oldest];
      uint64_t seen = latest_use(entry);
      if (seen > entry.stamp) entry.stamp = seen;
      unlink(set, oldest);
      // The next one's real stamp is at least its listed one, and so are those of all others.
      uint32_t next = recency_[set].oldest;
      if (next == kNone || entry.stamp <= entries_[next].listed_stamp) return oldest;
      entry.listed_stamp = entry.stamp;
      insert_by_stamp(set, oldest);
    }
  }

  void remove_from_bucket(uint32_t index) {
    uint32_t* link = &buckets_[bucket_of(entries_[index].page)];
    while (*link != index) link = &entries_[*link].next_in_bucket;
    *link = entries_[index].next_in_bucket;
  }

  // Walks from the newest: what was used lately belongs near the front.
  void insert_by_stamp(uint32_t set, uint32_t entry) {
    uint32_t newer = kNone;
    uint32_t older = recency_[set].newest;
    while (older != kNone && entries_[older].listed_stamp > entries_[entry].listed_stamp) {
      newer = older;
      older = entries_[older].older;
    }
    insert_after(set, entry, newer);
  }

  void insert_after(uint32_t set, uint32_t entry, uint32_t newer) {
    Recency& list = recency_[set];
    uint32_t older = newer == kNone ? list.newest : entries_[newer].older;
    entries_[entry].newer = newer;
    entries_[entry].older = older;
    (newer == kNone ? list.newest : entries_[newer].older) = entry;
    (older == kNone ? list.oldest : entries_[older].newer) = entry;
  }

  void unlink(uint32_t set, uint32_t entry) {
    Recency& list = recency_[set];
    uint32_t newer = entries_[entry].newer;
    uint32_t older = entries_[entry].older;
    (newer == kNone ? list.newest : entries_[newer].older) = older;
    (older == kNone ? list.oldest : entries_[older].newer) = newer;
  }

  SetIndex index_;
  uint32_t sets_ = 0;
  uint32_t ways_ = 0;
  Entry* entries_ = nullptr;
  Recency* recency_ = nullptr;
  uint32_t* buckets_ = nullptr;
};

}  // namespace hm::model
