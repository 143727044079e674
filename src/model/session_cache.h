// SPDX-License-Identifier: MIT
// A last-level cache that all processes of a session share, and the number of its lines that each thread has
// inserted. It models Intel's cache monitoring: a thread's lines remain its own until they are evicted, even
// after its end. It also models cache allocation: a thread allocates only into its own ways, but hits in all
// ways. True LRU among the permitted ways. Freestanding.
//
// It is in memory that all processes of a session and the recorder have mapped, at any address. Zeroed memory
// is an empty cache.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "model/bounded_lock.h"
#include "model/cache.h"
#include "model/geometry.h"
#include "model/lock_guard.h"

namespace hm::model {

// The lines of one thread, as hardware counts them under a monitoring id (RMID).
struct LineHolder {
  // Written by the thread's process.
  uint32_t pid;  // 0: the entry is free
  uint32_t tid;
  uint32_t parent;  // the process that started its process
  uint32_t ended;   // not 0: the thread has ended, or has become another one
  // Written by the recorder.
  uint32_t group;  // its measured group, from 1; 0: not yet known
  uint32_t ways;   // mask of the ways that it may allocate into; 0: all
  // Written under the locks of the sets.
  uint64_t lines;    // current number of lines
  uint64_t uses;     // number of lookups
  uint64_t fetches;  // number of lookups that missed
  // Written under the entries' lock: fetches of threads of this group with entries that have been reused.
  uint64_t fetches_of_gone;
};

// A holder's number and its process; no holder by default.
struct HolderOf {
  uint32_t number = 0;
  uint32_t pid = 0;
};

class SessionCache {
 public:
  static constexpr uint32_t kMaxLineHolders = 4096;
  // The entry of all threads without their own entry, because there are too many.
  static constexpr uint32_t kOthers = 0;
  // Address spaces are numbered from 1. Common memory (model/processes.h) has no address space.
  static constexpr uint64_t kCommonSpace = 0;

  // Returns the size of a cache with this geometry; it has to be aligned to 64 bytes.
  static uint64_t bytes(SetGeometry geometry) {
    return rows_offset() + geometry.entries() * (sizeof(uint64_t) + sizeof(uint16_t) + sizeof(uint8_t));
  }

  // Called once, before any process uses the cache.
  void build(SetGeometry geometry) {
    geometry_ = geometry;
    index_ = SetIndex(geometry.sets);
  }
  [[nodiscard]] SetGeometry geometry() const { return geometry_; }

  // Returns the address space of a process that starts or calls exec.
  uint64_t new_space() { return __atomic_add_fetch(&spaces_, 1, __ATOMIC_SEQ_CST) & kSpaceMask; }

  // Returns the thread's entry, new if it has none. A new entry gets group and ways of an earlier entry of
  // its process, or of `like`, or of an entry of the parent; otherwise it has no group yet. `like` counts
  // only while it still belongs to its process.
  uint32_t take_holder(uint32_t pid, uint32_t tid, uint32_t parent, HolderOf like = {}) {
    LockGuard guard(holders_lock_);
    uint32_t model = holders_[like.number].pid == like.pid ? like.number : kOthers;
    uint32_t free = kOthers;
    for (uint32_t i = kOthers + 1; i < kMaxLineHolders; ++i) {
      LineHolder& holder = holders_[i];
      if (holder.pid == pid && holder.tid == tid && holder.ended == 0) return i;
      if (free == kOthers && is_free(i)) free = i;
      if (holder.pid == 0) break;  // later entries have never been used
      if (holder.pid == pid || (model == kOthers && holder.pid == parent)) model = i;
    }
    if (free == kOthers) return kOthers;
    LineHolder& holder = holders_[free];
    uint32_t group = model == kOthers ? 0 : holders_[model].group;
    uint32_t ways = model == kOthers ? 0 : holders_[model].ways;
    if (uint32_t heir = heir_of(free); heir != kOthers)
      holders_[heir].fetches_of_gone += holder.fetches + holder.fetches_of_gone;
    holder = {pid, tid, parent, 0, group, ways, 0, 0, 0, 0};
    return free;
  }
  // Does nothing if the entry has been given to another thread.
  void set_group(uint32_t number, uint32_t pid, uint32_t tid, uint32_t group, uint32_t ways) {
    LockGuard guard(holders_lock_);
    LineHolder& holder = holders_[number];
    if (holder.pid != pid || holder.tid != tid) return;
    __atomic_store_n(&holder.ways, ways, __ATOMIC_RELAXED);
    __atomic_store_n(&holder.group, group, __ATOMIC_RELAXED);
  }
  void end_holder(uint32_t number) {
    if (number != kOthers) __atomic_store_n(&holders_[number].ended, 1, __ATOMIC_RELEASE);
  }

  // Returns the entry of a process's main thread; kOthers if it has none.
  [[nodiscard]] uint32_t holder_of(uint32_t pid) const {
    for (uint32_t i = kOthers + 1; i < kMaxLineHolders && holders_[i].pid != 0; ++i) {
      if (holders_[i].pid == pid && holders_[i].ended == 0) return i;
    }
    return kOthers;
  }
  [[nodiscard]] LineHolder& holder(uint32_t number) { return holders_[number]; }

  // Returns whether the line was present, and makes it the most recent of its set; a line that was absent now
  // belongs to the holder. Different programs have their data at similar addresses, but in different frames,
  // so the space helps to select the set.
  bool access(uint64_t space, uint64_t line, uint32_t by) {
    return access_at(line + space * kSpread, space, line, by);
  }
  // Like access(), but `index`, a physical line number, selects the set.
  bool access_at(uint64_t index, uint64_t space, uint64_t line, uint32_t by) {
    uint32_t set = index_.set_of(index);
    uint64_t key = space << kLineNumberBits | (line & kLineMask);
    LockGuard guard(locks_[set % kLocks].lock);
    add(holders_[by].uses, 1);
    Row row = row_of(set);
    uint32_t position = position_of(row, key);
    bool is_there = position != geometry_.ways;
    if (!is_there) {
      position = victim(row, holders_[by].ways);
      replace(row, position, key, by);
    }
    move_to_front(row, position);
    return is_there;
  }

  // Removes the line, whoever its holder is. The second function is the counterpart of access_at().
  void remove(uint64_t space, uint64_t line) { remove_at(line + space * kSpread, space, line); }
  void remove_at(uint64_t index, uint64_t space, uint64_t line) {
    uint32_t set = index_.set_of(index);
    LockGuard guard(locks_[set % kLocks].lock);
    Row row = row_of(set);
    uint32_t position = position_of(row, space << kLineNumberBits | (line & kLineMask));
    if (position == geometry_.ways) return;
    add(holders_[row.holders[position]].lines, ~uint64_t{0});
    empty(row, position);
  }

  // Returns how many ways of each set the holder may allocate into.
  [[nodiscard]] uint32_t ways_of(uint32_t number) const {
    uint32_t ways = __atomic_load_n(&holders_[number].ways, __ATOMIC_RELAXED);
    auto allowed = static_cast<uint32_t>(__builtin_popcount(ways));
    return allowed == 0 || allowed > geometry_.ways ? geometry_.ways : allowed;
  }

  // Calls visit(number, holder) for all entries. Meanwhile no line moves, and no entry is added or put into a
  // group, so nothing is missed or counted twice.
  template <typename Visit>
  void read_all(Visit&& visit) HM_UNCHECKED_LOCKS {  // clang does not follow locks of arrays
    LockGuard guard(holders_lock_);
    for (PaddedLock<BoundedLock>& each : locks_) each.lock.lock();
    for (uint32_t i = 0; i < kMaxLineHolders && (i == kOthers || holders_[i].pid != 0); ++i)
      visit(i, static_cast<const LineHolder&>(holders_[i]));
    for (PaddedLock<BoundedLock>& each : locks_) each.lock.unlock();
  }

 private:
  static constexpr uint32_t kLocks = 64;
  static constexpr uint64_t kLineMask = (uint64_t{1} << kLineNumberBits) - 1;
  static constexpr uint64_t kSpaceMask = (uint64_t{1} << (63 - kLineNumberBits)) - 1;
  static constexpr uint64_t kSpread = 40503;  // odd, and far from the small powers of two

  // A set, the most recent line first. A key is stored plus 1; 0 is an empty slot. Empty slots come after all
  // others.
  struct Row {
    uint64_t* keys;
    uint16_t* holders;
    uint8_t* ways;  // the line's way plus 1; 0: equal to its position in the row
  };

  // True if none of its lines is left, and its fetches would not be lost.
  [[nodiscard]] bool is_free(uint32_t number) const {
    const LineHolder& holder = holders_[number];
    if (holder.pid == 0) return true;
    if (holder.ended == 0 || __atomic_load_n(&holder.lines, __ATOMIC_RELAXED) != 0) return false;
    return holder.group == 0 || holder.fetches + holder.fetches_of_gone == 0 || heir_of(number) != kOthers;
  }
  // Returns another entry of its group.
  [[nodiscard]] uint32_t heir_of(uint32_t number) const {
    uint32_t group = holders_[number].group;
    for (uint32_t i = kOthers + 1; group != 0 && i < kMaxLineHolders && holders_[i].pid != 0; ++i) {
      if (i != number && holders_[i].group == group) return i;
    }
    return kOthers;
  }

  static constexpr uint64_t rows_offset() { return (sizeof(SessionCache) + 63) & ~uint64_t{63}; }

  Row row_of(uint32_t set) {
    char* start = reinterpret_cast<char*>(this) + rows_offset();
    uint64_t first = uint64_t{set} * geometry_.ways, entries = geometry_.entries();
    auto* keys = reinterpret_cast<uint64_t*>(start);
    auto* holders = reinterpret_cast<uint16_t*>(keys + entries);
    auto* ways = reinterpret_cast<uint8_t*>(holders + entries);
    return {keys + first, holders + first, ways + first};
  }

  [[nodiscard]] uint32_t position_of(const Row& row, uint64_t key) const {
    uint32_t position = 0;
    while (position < geometry_.ways && row.keys[position] != key + 1) ++position;
    return position;
  }

  static uint32_t way_at(const Row& row, uint32_t position) {
    return row.ways[position] == 0 ? position : row.ways[position] - 1u;
  }

  // Returns the position of the least recently used line among the permitted ways.
  [[nodiscard]] uint32_t victim(const Row& row, uint32_t allowed) const {
    for (uint32_t position = geometry_.ways; position-- > 0;) {
      if (allowed == 0 || (allowed >> way_at(row, position) & 1) != 0) return position;
    }
    return geometry_.ways - 1;  // the permitted ways do not exist
  }

  void replace(const Row& row, uint32_t position, uint64_t key, uint32_t by) {
    if (row.keys[position] != 0) add(holders_[row.holders[position]].lines, ~uint64_t{0});
    row.keys[position] = key + 1;
    row.holders[position] = static_cast<uint16_t>(by);
    add(holders_[by].lines, 1);
    add(holders_[by].fetches, 1);
  }

  static void move_to_front(const Row& row, uint32_t position) {
    if (position == 0) return;
    uint64_t key = row.keys[position];
    uint16_t holder = row.holders[position];
    auto way = static_cast<uint8_t>(way_at(row, position) + 1);
    for (uint32_t i = position; i > 0; --i) move(row, i - 1, i);
    row.keys[0] = key;
    row.holders[0] = holder;
    row.ways[0] = way;
  }

  static void move(const Row& row, uint32_t from, uint32_t to) {
    row.keys[to] = row.keys[from];
    row.holders[to] = row.holders[from];
    row.ways[to] = static_cast<uint8_t>(way_at(row, from) + 1);
  }
  // Moves the slot behind all lines, and among the empty slots in the order of their ways.
  void empty(const Row& row, uint32_t position) const {
    uint32_t way = way_at(row, position), i = position;
    for (; i + 1 < geometry_.ways && (row.keys[i + 1] != 0 || way_at(row, i + 1) < way); ++i)
      move(row, i + 1, i);
    row.keys[i] = 0;
    row.ways[i] = static_cast<uint8_t>(way + 1);
  }

  // Sets under other locks may count for this holder concurrently.
  static void add(uint64_t& counter, uint64_t more) { __atomic_fetch_add(&counter, more, __ATOMIC_RELAXED); }

  SetGeometry geometry_;
  SetIndex index_;
  uint64_t spaces_ = 0;
  BoundedLock holders_lock_;
  PaddedLock<BoundedLock> locks_[kLocks] = {};
  LineHolder holders_[kMaxLineHolders] = {};
};
static_assert(SessionCache::kMaxLineHolders <= 1 << 16);

}  // namespace hm::model
