// SPDX-License-Identifier: MIT
// The models again, slow and obvious: what the fast ones are checked against. Used by tests only.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <vector>

#include "model/geometry.h"
#include "model/machine.h"

namespace hm::model::reference {

// Sets of numbers, each a list from most to least recent.
class LruSets {
 public:
  explicit LruSets(SetGeometry geometry) : ways_(geometry.ways), sets_(geometry.sets) {}

  // True where `number` was there.
  bool access(uint64_t number) {
    std::list<uint64_t>& set = sets_[number % sets_.size()];
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

 private:
  size_t ways_;
  std::vector<std::list<uint64_t>> sets_;
};

class Machine {
 public:
  explicit Machine(const MachineGeometry& geometry)
      : geometry_(geometry),
        l1d_(geometry.l1d),
        l1i_(geometry.l1i),
        l2_(geometry.l2),
        l3_(geometry.l3.present() ? geometry.l3 : SetGeometry{1, 1}),
        dtlb_(geometry.dtlb),
        itlb_(geometry.itlb),
        second_tlb_(geometry.second_tlb.present() ? geometry.second_tlb : SetGeometry{1, 1}) {}

  Outcome access_data(uint64_t address, uint32_t bytes) {
    Outcome outcome;
    uint64_t last = (address + bytes - 1) / geometry_.line_bytes;
    for (uint64_t line = address / geometry_.line_bytes; line <= last; ++line)
      access(line, l1d_, dtlb_, outcome);
    return outcome;
  }

  Outcome fetch(uint64_t line) {
    Outcome outcome;
    access(line, l1i_, itlb_, outcome);
    return outcome;
  }

 private:
  void access(uint64_t line, LruSets& l1, LruSets& tlb, Outcome& outcome) {
    uint64_t page = line * geometry_.line_bytes / geometry_.page_bytes;
    if (!tlb.access(page)) {
      ++outcome.tlb_misses;
      bool second = geometry_.second_tlb.present() && second_tlb_.access(page);
      outcome.translation =
          std::max(outcome.translation, second ? Translation::kSecondTlb : Translation::kPageWalk);
    }
    if (l1.access(line)) return;
    ++outcome.l1_misses;
    Level level = Level::kL2;
    if (!l2_.access(line)) {
      ++outcome.l2_misses;
      bool third = geometry_.l3.present() && l3_.access(line);
      if (geometry_.l3.present() && !third) ++outcome.l3_misses;
      level = third ? Level::kL3 : Level::kMemory;
    }
    outcome.level = std::max(outcome.level, level);
  }

  MachineGeometry geometry_;
  LruSets l1d_, l1i_, l2_, l3_, dtlb_, itlb_, second_tlb_;
};

}  // namespace hm::model::reference
