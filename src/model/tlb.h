// SPDX-License-Identifier: MIT
// A TLB whose recency is known late: most uses of a page pass a filter that only stamps the time of its last
// use. Freestanding.
//
// Stamps grow from access to access. A set's entries are listed in the order of the stamps they were listed
// with, which are no later than their last uses. So the last of the list is the true LRU victim, unless it
// was used since: then it moves to where that use belongs, and the next is looked at.
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
    uint64_t stamp;   // of the last use that came here; the filter may know a later one
    uint64_t note;    // the filter's own
    uint64_t listed;  // the stamp by which it is placed in the list
    uint32_t newer, older;
    uint32_t next_in_bucket;
  };

  Tlb() = default;
  Tlb(SetGeometry geometry, Arena& arena)
      : index_(geometry.sets), sets_(geometry.sets), ways_(geometry.ways) {
    entries_ = arena.take<Entry>(1 + sets_ + geometry.entries());
    buckets_ = arena.take<uint32_t>(kBuckets);
    if (!arena.measuring()) clear();
  }

  void clear() {
    for (uint32_t i = 0; i < kBuckets; ++i) buckets_[i] = kNone;
    for (uint32_t set = 0; set < sets_; ++set) {
      uint32_t ends = ends_of(set);
      entries_[ends] = {kNoPage, 0, 0, 0, ends, ends, kNone};
      for (uint32_t way = 0; way < ways_; ++way) {
        uint32_t i = 1 + sets_ + set * ways_ + way;
        entries_[i] = {kNoPage, 0, 0, 0, 0, 0, kNone};
        insert_behind(ends, i);
      }
    }
  }

  // The page's entry, or kNone. Entries do not move while their page is resident.
  [[nodiscard]] uint32_t find(uint64_t page) const {
    uint32_t entry = buckets_[bucket_of(page)];
    while (entry != kNone && entries_[entry].page != page) entry = entries_[entry].next_in_bucket;
    return entry;
  }

  [[nodiscard]] Entry& entry(uint32_t index) { return entries_[index]; }

  // Brings in a page that is not resident. `latest_use(entry)` tells the last stamp that the filter knows of
  // an entry (0: none), `leaves(entry)` is told which page goes to make room.
  template <typename LatestUse, typename Leaves>
  uint32_t bring_in(uint64_t page, uint64_t stamp, LatestUse&& latest_use, Leaves&& leaves) {
    uint32_t ends = ends_of(index_.set_of(page));
    uint32_t index = victim(ends, latest_use);
    Entry& entry = entries_[index];
    if (entry.page != kNoPage) {
      leaves(entry);
      remove_from_bucket(index);
    }
    uint32_t& bucket = buckets_[bucket_of(page)];
    entry.page = page;
    entry.stamp = entry.listed = stamp;
    entry.note = 0;
    entry.next_in_bucket = bucket;
    bucket = index;
    unlink(entry);
    insert_behind(ends, index);
    return index;
  }

 private:
  static constexpr uint32_t kBuckets = 1024;

  static uint32_t bucket_of(uint64_t page) { return static_cast<uint32_t>(page) & (kBuckets - 1); }

  // The entry that holds both ends of a set's list, newer than the newest and older than the oldest.
  [[nodiscard]] uint32_t ends_of(uint32_t set) const { return 1 + set; }

  template <typename LatestUse>
  uint32_t victim(uint32_t ends, LatestUse&& latest_use) {
    while (true) {
      uint32_t oldest = entries_[ends].newer;
      Entry& entry = entries_[oldest];
      if (entry.page == kNoPage) return oldest;
      uint64_t seen = latest_use(entry);
      if (seen > entry.stamp) entry.stamp = seen;
      if (entry.stamp == entry.listed) return oldest;
      entry.listed = entry.stamp;
      unlink(entry);
      insert_behind(newer_neighbour(ends, entry.listed), oldest);
    }
  }

  // The entry behind which one with this stamp belongs, looked for from both ends at once.
  [[nodiscard]] uint32_t newer_neighbour(uint32_t ends, uint64_t listed) const {
    uint32_t from_newest = ends;
    uint32_t from_oldest = entries_[ends].newer;
    while (true) {
      if (entries_[entries_[from_newest].older].listed <= listed) return from_newest;
      if (entries_[from_oldest].listed >= listed || from_oldest == ends) return from_oldest;
      from_newest = entries_[from_newest].older;
      from_oldest = entries_[from_oldest].newer;
    }
  }

  void unlink(const Entry& entry) {
    entries_[entry.newer].older = entry.older;
    entries_[entry.older].newer = entry.newer;
  }

  void insert_behind(uint32_t newer, uint32_t index) {
    Entry& entry = entries_[index];
    entry.newer = newer;
    entry.older = entries_[newer].older;
    entries_[entry.older].newer = index;
    entries_[newer].older = index;
  }

  void remove_from_bucket(uint32_t index) {
    uint32_t* link = &buckets_[bucket_of(entries_[index].page)];
    while (*link != index) link = &entries_[*link].next_in_bucket;
    *link = entries_[index].next_in_bucket;
  }

  SetIndex index_;
  uint32_t sets_ = 0;
  uint32_t ways_ = 0;
  Entry* entries_ = nullptr;  // nobody's, the ends of each set's list, and those of pages
  uint32_t* buckets_ = nullptr;
};

}  // namespace hm::model
