// SPDX-License-Identifier: MIT
// A TLB whose recency is kept in stamps, so that whoever filters its hits only has to write a stamp.
// Freestanding.
//
// Every resident page may own a slot of a direct-mapped table; a hit on the owner of a slot is complete once
// the slot's stamp is written, which an engine does inline without looking the page up. The order of stamps
// is the order of accesses. Each set keeps its entries listed by the stamp they had when last looked at; as
// real stamps only grow, a listed stamp is a lower bound, and the tail is the true LRU victim once its listed
// stamp is its real one. A tail that was used since is moved up to where it belongs: recency is corrected
// lazily, when a victim is chosen.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/cache.h"
#include "model/geometry.h"

namespace hm::model {

inline constexpr uint64_t kNoPage = ~uint64_t{0};

class Tlb {
 public:
  struct Outcome {
    bool hit;
    uint64_t evicted;    // the page that left, or kNoPage
    uint64_t displaced;  // a page that stays but lost its slot, or kNoPage
  };

  Tlb() = default;
  // `slot_stamps` has `slots` (a power of two) entries that the caller keeps, where an engine can reach them.
  Tlb(SetGeometry geometry, uint64_t* slot_stamps, uint32_t slots, Arena& arena)
      : index_(geometry.sets),
        sets_(geometry.sets),
        ways_(geometry.ways),
        slot_count_(slots),
        slot_stamps_(slot_stamps) {
    entries_ = arena.take<Entry>(geometry.entries());
    recency_ = arena.take<Recency>(sets_);
    slots_ = arena.take<Slot>(slots);
    if (!arena.measuring()) clear();
  }

  void clear() {
    for (uint32_t set = 0; set < sets_; ++set) {
      recency_[set] = {kNone, kNone};
      for (uint32_t i = set * ways_; i < (set + 1) * ways_; ++i) {
        entries_[i] = {kNoPage, 0, kNone, kNone};
        push_front(set, i);
      }
    }
    for (uint32_t i = 0; i < slot_count_; ++i) slots_[i] = {kNoPage, 0};
    slotless_ = 0;
  }

  // Afterwards `page` is resident, owns its slot, and has `stamp`. Stamps grow from access to access; 0 is
  // never one.
  Outcome access(uint64_t page, uint64_t stamp) {
    uint32_t slot = slot_of(page);
    if (slots_[slot].owner == page) {
      slot_stamps_[slot] = stamp;
      return {true, kNoPage, kNoPage};
    }
    uint32_t set = index_.set_of(page);
    uint32_t entry = slotless_ == 0 ? kNone : find(set, page);
    if (entry != kNone) {
      --slotless_;
      return {true, kNoPage, take_slot(slot, entry, stamp)};
    }
    entry = take_victim(set);
    uint64_t evicted = entries_[entry].page;
    entries_[entry].page = page;
    entries_[entry].listed_stamp = stamp;
    push_front(set, entry);
    return {false, evicted, take_slot(slot, entry, stamp)};
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Entry {
    uint64_t page;
    uint64_t listed_stamp;  // at most the real one
    uint32_t newer, older;  // neighbours in the set's list
  };
  struct Recency {
    uint32_t newest, oldest;
  };
  struct Slot {
    uint64_t owner;
    uint32_t entry;
  };

  [[nodiscard]] uint32_t slot_of(uint64_t page) const {
    return static_cast<uint32_t>(page) & (slot_count_ - 1);
  }

  [[nodiscard]] uint32_t find(uint32_t set, uint64_t page) const {
    for (uint32_t i = set * ways_; i < (set + 1) * ways_; ++i) {
      if (entries_[i].page == page) return i;
    }
    return kNone;
  }

  [[nodiscard]] bool owns_slot(const Entry& entry) const {
    return entry.page != kNoPage && slots_[slot_of(entry.page)].owner == entry.page;
  }

  [[nodiscard]] uint64_t real_stamp(const Entry& entry) const {
    return owns_slot(entry) ? slot_stamps_[slot_of(entry.page)] : entry.listed_stamp;
  }

  // Unlinks the least recently used entry of the set and frees the slot that its page owns.
  uint32_t take_victim(uint32_t set) {
    while (true) {
      uint32_t oldest = recency_[set].oldest;
      Entry& entry = entries_[oldest];
      uint64_t stamp = real_stamp(entry);
      unlink(set, oldest);
      if (stamp == entry.listed_stamp) {
        if (owns_slot(entry)) {
          slots_[slot_of(entry.page)].owner = kNoPage;
        } else if (entry.page != kNoPage) {
          --slotless_;
        }
        return oldest;
      }
      entry.listed_stamp = stamp;
      insert_by_stamp(set, oldest);
    }
  }

  // Gives the slot to the entry's page; the page that had it, if any, keeps its stamp in its entry.
  uint64_t take_slot(uint32_t slot, uint32_t entry, uint64_t stamp) {
    uint64_t displaced = slots_[slot].owner;
    if (displaced != kNoPage) {
      uint32_t loser = slots_[slot].entry;
      uint32_t set = index_.set_of(displaced);
      unlink(set, loser);
      entries_[loser].listed_stamp = slot_stamps_[slot];
      insert_by_stamp(set, loser);
      ++slotless_;
    }
    slots_[slot] = {entries_[entry].page, entry};
    slot_stamps_[slot] = stamp;
    return displaced;
  }

  void push_front(uint32_t set, uint32_t entry) { insert_after(set, entry, kNone); }

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
    auto [newer, older] = Recency{entries_[entry].newer, entries_[entry].older};
    (newer == kNone ? list.newest : entries_[newer].older) = older;
    (older == kNone ? list.oldest : entries_[older].newer) = newer;
  }

  SetIndex index_;
  uint32_t sets_ = 0;
  uint32_t ways_ = 0;
  uint32_t slot_count_ = 0;
  uint32_t slotless_ = 0;  // resident pages that own no slot; while 0, a page without a slot is not resident
  uint64_t* slot_stamps_ = nullptr;
  Entry* entries_ = nullptr;
  Recency* recency_ = nullptr;
  Slot* slots_ = nullptr;
};

}  // namespace hm::model
