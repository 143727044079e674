// SPDX-License-Identifier: MIT
// A TLB whose recency is known late: most uses of a page pass a filter that only stamps the time of its last
// use. Freestanding.
//
// Stamps grow from access to access. True LRU victims are found by generations: at its start, a set's entries
// are sorted by their real stamps. Whoever was not used since then is older than whoever was, so victims are
// taken in that order; an entry that was used since joins the next generation, as do new pages. When the
// order is used up, the next generation starts. So a victim costs a step and a share of a sort, however the
// program behaves.
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
    uint64_t stamp;  // of the last use that came here; the filter may know a later one
    uint64_t note;   // the filter's own
    uint32_t next_in_bucket;
  };

  Tlb() = default;
  Tlb(SetGeometry geometry, Arena& arena)
      : index_(geometry.sets), sets_(geometry.sets), ways_(geometry.ways) {
    entries_ = arena.take<Entry>(geometry.entries());
    order_ = arena.take<Place>(geometry.entries());
    taken_ = arena.take<uint32_t>(sets_);
    buckets_ = arena.take<uint32_t>(kBuckets);
    if (!arena.measuring()) clear();
  }

  void clear() {
    for (uint32_t i = 0; i < kBuckets; ++i) buckets_[i] = kNone;
    for (uint32_t set = 0; set < sets_; ++set) {
      taken_[set] = 0;
      for (uint32_t i = set * ways_; i < (set + 1) * ways_; ++i) {
        entries_[i] = {kNoPage, 0, 0, kNone};
        order_[i] = {0, i};
      }
    }
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
  uint32_t bring_in(uint64_t page, uint64_t stamp, LatestUse&& latest_use, Leaves&& leaves) {
    uint32_t set = index_.set_of(page);
    uint32_t index = take_victim(set, latest_use);
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

  // An entry and its real stamp when the generation started.
  struct Place {
    uint64_t stamp;
    uint32_t entry;
  };

  static uint32_t bucket_of(uint64_t page) { return static_cast<uint32_t>(page) & (kBuckets - 1); }

  template <typename LatestUse>
  uint32_t take_victim(uint32_t set, LatestUse&& latest_use) {
    uint32_t& taken = taken_[set];
    Place* places = order_ + uint64_t{set} * ways_;
    while (true) {
      if (taken == ways_) {
        start_generation(places, latest_use);
        taken = 0;
      }
      const Place& oldest = places[taken++];
      if (real_stamp(entries_[oldest.entry], latest_use) == oldest.stamp) return oldest.entry;
    }
  }

  template <typename LatestUse>
  static uint64_t real_stamp(Entry& entry, LatestUse&& latest_use) {
    uint64_t seen = entry.page == kNoPage ? 0 : latest_use(entry);
    if (seen > entry.stamp) entry.stamp = seen;
    return entry.stamp;
  }

  template <typename LatestUse>
  void start_generation(Place* places, LatestUse&& latest_use) {
    for (uint32_t i = 0; i < ways_; ++i) places[i].stamp = real_stamp(entries_[places[i].entry], latest_use);
    sort(places);
  }

  // Shell sort with Ciura's gaps: entries are nearly in order already, and there are few.
  void sort(Place* places) const {
    constexpr uint32_t kGaps[] = {301, 132, 57, 23, 10, 4, 1};
    for (uint32_t gap : kGaps) {
      for (uint32_t i = gap; i < ways_; ++i) {
        Place moving = places[i];
        uint32_t to = i;
        for (; to >= gap && places[to - gap].stamp > moving.stamp; to -= gap) places[to] = places[to - gap];
        places[to] = moving;
      }
    }
  }

  void remove_from_bucket(uint32_t index) {
    uint32_t* link = &buckets_[bucket_of(entries_[index].page)];
    while (*link != index) link = &entries_[*link].next_in_bucket;
    *link = entries_[index].next_in_bucket;
  }

  SetIndex index_;
  uint32_t sets_ = 0;
  uint32_t ways_ = 0;
  Entry* entries_ = nullptr;
  Place* order_ = nullptr;     // each set's entries, in the order of its generation
  uint32_t* taken_ = nullptr;  // by set: how many of them have been looked at since the generation started
  uint32_t* buckets_ = nullptr;
};

}  // namespace hm::model
