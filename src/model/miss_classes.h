// SPDX-License-Identifier: MIT
// Why lines miss: each cache is compared with a fully associative cache of equal size. Freestanding.
//
// The levels below the first see every use that reaches them, so a log of each level gives the class at once.
// Most uses of the first level are known late (data_filter.h). Its classes are computed on demand, by
// counting the lines used since the line that missed.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/evicted_lines.h"
#include "model/geometry.h"
#include "model/line_table.h"
#include "model/recency_log.h"
#include "model/stamped_sets.h"
#include "record/extension.h"

namespace hm::model {

using record::MissClass;

// Classes of a first-level cache.
class FirstLevelClasses {
 public:
  FirstLevelClasses() = default;
  FirstLevelClasses(SetGeometry cache, Arena& arena) : entries_(cache.entries()), evicted_(entries_, arena) {}

  // The line at slot `place` is evicted at `now`.
  template <typename Slot>
  [[gnu::always_inline]] void on_eviction(const StampedSets<Slot>& cache, uint32_t place, uint64_t now) {
    if (cache.stamp_at(place) != 0) evicted_.add(cache.line_at(place), cache.stamp_at(place), now);
  }

  // Returns the stamp of a line's last use; 0 if it is too old to matter.
  template <typename Slot>
  [[nodiscard]] uint64_t last_use(const StampedSets<Slot>& cache, uint64_t line) const {
    uint32_t place = cache.find(line);
    return place == StampedSets<Slot>::kNone ? evicted_.last_use(line) : cache.stamp_at(place);
  }

  // Returns why `line` missed at `now`, its most recent miss, which was not its first use.
  // `hidden_since(time)`: the number of lines that were used after `time` and before `now`, but have newer
  // stamps from later uses.
  template <typename Slot, typename HiddenSince>
  [[nodiscard]] MissClass class_of(const StampedSets<Slot>& cache, uint64_t line, uint64_t now,
                                   HiddenSince&& hidden_since) const {
    uint64_t before = evicted_.last_use(line);
    if (before == 0) return MissClass::kCapacity;
    const auto left_the_cache = [&](uint64_t other) {
      return other != line && cache.find(other) == StampedSets<Slot>::kNone;
    };
    uint64_t used_since = cache.count_between(before, line, now) + hidden_since(before);
    if (used_since < entries_) {
      auto missing = static_cast<uint32_t>(entries_ - used_since);
      used_since += evicted_.count_between(before, line, now, missing, left_the_cache);
    }
    return used_since < entries_ ? MissClass::kConflict : MissClass::kCapacity;
  }

 private:
  uint64_t entries_ = 0;
  EvictedLines evicted_;
};

// A core's last uses of a level that it shares, not yet added to the level's classes.
class LateUses {
 public:
  void add(uint64_t line) { lines_[count_++] = line; }
  [[nodiscard]] bool full() const { return count_ == kMost; }
  [[nodiscard]] bool contains(uint64_t line) const {
    for (uint32_t i = 0; i < count_; ++i) {
      if (lines_[i] == line) return true;
    }
    return false;
  }
  void remove(uint64_t line) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      if (lines_[i] != line) lines_[kept++] = lines_[i];
    }
    count_ = kept;
  }
  // Calls add(line) for each line, in order, and empties the list.
  template <typename Add>
  void take_all(Add&& add) {
    for (uint32_t i = 0; i < count_; ++i) add(lines_[i]);
    count_ = 0;
  }

 private:
  static constexpr uint32_t kMost = 32;
  uint32_t count_ = 0;
  uint64_t lines_[kMost] = {};
};

// Classes of a lower level, which sees every use of its lines.
class LowerLevelClasses {
 public:
  LowerLevelClasses() = default;
  LowerLevelClasses(SetGeometry cache, MemorySource more, Arena& arena)
      : times_(more, arena), log_(cache.entries(), arena) {}

  // Prefetches, on the host, the memory that use(line) will read. This saves a seventh of the time of random
  // access over 64 MiB.
  [[gnu::always_inline]] void prefetch(uint64_t line) { __builtin_prefetch(times_.of(line)); }
  // Like prefetch(), for levels that several cores use: any of them may call it.
  [[gnu::always_inline]] void prefetch_shared(uint64_t line) const {
    __builtin_prefetch(times_.table().of(line));
  }

  // Uses `line`. Returns the class of the miss, in case the level lacks the line; kNone if memory has run
  // out.
  [[gnu::always_inline]] MissClass use(uint64_t line) {
    RecencyLog::Time* time = times_.of(line);
    if (time == nullptr) return MissClass::kNone;
    bool first = *time == RecencyLog::kNever;
    bool present = log_.use(line, *time, Times{times_});
    return first ? MissClass::kCompulsory : present ? MissClass::kConflict : MissClass::kCapacity;
  }

  // Like use(), if the class does not matter.
  [[gnu::always_inline]] void add(uint64_t line) {
    RecencyLog::Time* time = times_.of(line);
    if (time != nullptr) log_.use(line, *time, Times{times_});
  }

  // Records that `line` was used so long ago that it is no longer in the cache.
  void remember(uint64_t line) {
    RecencyLog::Time* time = times_.of(line);
    if (time != nullptr && *time == RecencyLog::kNever) *time = RecencyLog::kLongAgo;
  }

  // Returns the class that a miss of `line` would have. It may be wrong while another core is in use().
  [[nodiscard]] MissClass class_of(uint64_t line) const {
    const RecencyLog::Time* place = times_.table().of(line);
    if (place == nullptr) return MissClass::kNone;
    RecencyLog::Time time = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (time == RecencyLog::kNever) return MissClass::kCompulsory;
    return log_.holds(time) ? MissClass::kConflict : MissClass::kCapacity;
  }

  // See LineTable. No other core may be in use() meanwhile.
  [[nodiscard]] bool has_grown() const { return times_.table().has_grown(); }
  template <typename IsUsed>
  void forget_unused(IsUsed&& is_used) {
    times_.forget_unused(is_used, [&](RecencyLog::Time& time) {
      if (time != RecencyLog::kNever) log_.drop(time);
    });
  }

  // Returns how many other lines were used between the last use and that line's previous use: RecencyLog.
  [[nodiscard]] uint32_t lines_between() const { return log_.lines_between(); }
  // Whether `line` was used among the last `uses` uses.
  [[nodiscard]] bool is_recent(uint64_t line, uint32_t uses) {
    const RecencyLog::Time* time = times_.of(line);
    return time != nullptr && log_.is_recent(*time, uses);
  }
  [[nodiscard]] uint32_t entries() const { return log_.entries(); }

  // The level has lost `line` to another core.
  void drop(uint64_t line) {
    RecencyLog::Time* time = times_.of(line);
    if (time != nullptr && *time != RecencyLog::kNever) log_.drop(*time);
  }
  // A flush instruction has removed `line`: no size of the level would have kept it, so that its next use
  // counts as its first.
  void forget(uint64_t line) {
    RecencyLog::Time* time = times_.table().find(line);
    if (time == nullptr || *time == RecencyLog::kNever) return;
    log_.drop(*time);
    __atomic_store_n(time, RecencyLog::kNever, __ATOMIC_RELAXED);
  }

 private:
  struct Times {
    LineCursor<RecencyLog::Time>& times;
    RecencyLog::Time& operator()(uint64_t line) const { return *times.of(line); }
    template <typename Change>
    void each(Change&& change) const {
      times.table().for_each([&](RecencyLog::Time& time) {
        if (time != RecencyLog::kNever) change(time);
      });
    }
  };

  LineCursor<RecencyLog::Time> times_;
  RecencyLog log_;
};

}  // namespace hm::model
