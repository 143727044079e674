// SPDX-License-Identifier: MIT
// Slow and simple versions of the models, with which tests compare the fast ones. Used by tests only.
#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "model/geometry.h"
#include "model/machine.h"

namespace hm::model::reference {

// A memory source (model/line_table.h) for tests; the memory is kept until they end.
inline void* kept_memory(uint64_t bytes) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<uint64_t[]>> kept;
  std::lock_guard guard(mutex);
  kept.push_back(std::make_unique<uint64_t[]>(bytes / sizeof(uint64_t) + 1));
  return kept.back().get();
}

// Sets of numbers, each a list from most to least recent.
class LruSets {
 public:
  explicit LruSets(SetGeometry geometry) : ways_(geometry.ways), sets_(geometry.sets) {}

  // Returns whether `number` was present.
  bool access(uint64_t number) { return access_at(number, number); }
  // Like access(), but `index` decides the set.
  bool access_at(uint64_t index, uint64_t number) {
    std::list<uint64_t>& set = sets_[index % sets_.size()];
    for (auto i = set.begin(); i != set.end(); ++i) {
      if (*i != number) continue;
      set.erase(i);
      set.push_front(number);
      return true;
    }
    set.push_front(number);
    if (set.size() > ways_) set.pop_back();
    return false;
  }

  void remove_at(uint64_t index, uint64_t number) { sets_[index % sets_.size()].remove(number); }

  // Returns all numbers: the most recent of each set, then the next of each.
  [[nodiscard]] std::vector<uint64_t> by_recency() const {
    std::vector<uint64_t> all;
    for (size_t way = 0; way < ways_; ++way) {
      for (const std::list<uint64_t>& set : sets_) {
        if (way < set.size()) all.push_back(*std::next(set.begin(), static_cast<ptrdiff_t>(way)));
      }
    }
    return all;
  }

 private:
  size_t ways_;
  std::vector<std::list<uint64_t>> sets_;
};

// Simulates a fully associative cache of equal size, and records all uses.
class Classes {
 public:
  explicit Classes(SetGeometry cache) : entries_(cache.entries()) {}

  // Uses the line. Returns the class of the miss, in case it is one.
  MissClass use(uint64_t line) {
    auto last = last_use_.find(line);
    bool first = last == last_use_.end();
    bool present = !first && by_use_.erase(last->second) != 0;
    last_use_[line] = ++now_;
    by_use_[now_] = line;
    if (by_use_.size() > entries_) by_use_.erase(by_use_.begin());
    return first ? MissClass::kCompulsory : present ? MissClass::kConflict : MissClass::kCapacity;
  }
  void forget(uint64_t line) {
    auto last = last_use_.find(line);
    if (last == last_use_.end()) return;
    by_use_.erase(last->second);
    last_use_.erase(last);
  }

 private:
  size_t entries_;
  uint64_t now_ = 0;
  std::map<uint64_t, uint64_t> last_use_;  // by line, for all lines ever used
  std::map<uint64_t, uint64_t> by_use_;    // the lines in the cache, by their last uses
};

class Machine {
 public:
  // `physical(line)`: the number that decides a line's set below the first level.
  using Physical = uint64_t (*)(uint64_t line);
  explicit Machine(
      const MachineGeometry& geometry, Physical physical = [](uint64_t line) { return line; })
      : geometry_(geometry),
        physical_(physical),
        l1d_(geometry.l1d),
        l1i_(geometry.l1i),
        l2_(geometry.l2),
        l3_(geometry.l3.present() ? geometry.l3 : SetGeometry{1, 1}),
        dtlb_(geometry.dtlb),
        itlb_(geometry.itlb),
        second_tlb_(geometry.second_tlb.present() ? geometry.second_tlb : SetGeometry{1, 1}),
        l1d_classes_(geometry.l1d),
        l1i_classes_(geometry.l1i),
        l2_classes_(geometry.l2),
        l3_classes_(geometry.l3) {}

  Outcome access_data(uint64_t address, uint32_t bytes) {
    Outcome outcome;
    uint64_t last = (address + bytes - 1) / geometry_.line_bytes;
    for (uint64_t line = address / geometry_.line_bytes; line <= last; ++line)
      access(line, l1d_, dtlb_, l1d_classes_, outcome);
    return outcome;
  }

  Outcome fetch(uint64_t line) {
    Outcome outcome;
    access(line, l1i_, itlb_, l1i_classes_, outcome);
    return outcome;
  }

  void flush(uint64_t line) {
    l1d_.remove_at(line, line);
    l1i_.remove_at(line, line);
    l2_.remove_at(physical_(line), line);
    l3_.remove_at(physical_(line), line);
    for (Classes* each : {&l1d_classes_, &l1i_classes_, &l2_classes_, &l3_classes_}) each->forget(line);
  }

  // Class of the first line of the last access that missed the first level.
  [[nodiscard]] MissClass first_class() const { return first_class_; }

 private:
  void access(uint64_t line, LruSets& l1, LruSets& tlb, Classes& classes, Outcome& outcome) {
    uint64_t page = line * geometry_.line_bytes / geometry_.page_bytes;
    if (!tlb.access(page)) {
      ++outcome.tlb_misses;
      bool second = geometry_.second_tlb.present() && second_tlb_.access(page);
      outcome.translation =
          std::max(outcome.translation, second ? Translation::kSecondTlb : Translation::kPageWalk);
    }
    MissClass first_class = classes.use(line);
    if (l1.access(line)) return;
    if (++outcome.l1_misses == 1) first_class_ = first_class;
    Level level = Level::kL2;
    MissClass l2_class = l2_classes_.use(line);
    if (!l2_.access_at(physical_(line), line)) {
      ++outcome.l2_misses;
      if (outcome.l2_class == MissClass::kNone) outcome.l2_class = l2_class;
      MissClass l3_class = geometry_.l3.present() ? l3_classes_.use(line) : MissClass::kNone;
      bool third = geometry_.l3.present() && l3_.access_at(physical_(line), line);
      if (!third && outcome.l3_class == MissClass::kNone) outcome.l3_class = l3_class;
      if (geometry_.l3.present() && !third) ++outcome.l3_misses;
      level = third ? Level::kL3 : Level::kMemory;
    }
    outcome.level = std::max(outcome.level, level);
  }

  MachineGeometry geometry_;
  Physical physical_;
  LruSets l1d_, l1i_, l2_, l3_, dtlb_, itlb_, second_tlb_;
  Classes l1d_classes_, l1i_classes_, l2_classes_, l3_classes_;
  MissClass first_class_ = MissClass::kNone;
};

}  // namespace hm::model::reference
