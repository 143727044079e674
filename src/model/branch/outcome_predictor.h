// SPDX-License-Identifier: MIT
// Predicts whether a conditional branch is taken: a small TAGE (tagged_tables.h), with two-bit counters for
// branches that no table knows. Freestanding.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/branch/branch_history.h"
#include "model/branch/tagged_tables.h"

namespace hm::model {

class OutcomePredictor {
 public:
  OutcomePredictor() = default;
  explicit OutcomePredictor(Arena& arena) : tables_(kLengths, arena), base_(arena.take<int8_t>(kBase)) {}

  // Returns whether the prediction was right, and learns the outcome.
  bool predict(uint64_t ip, bool taken, const BranchHistory& history) {
    int8_t& base = base_[(ip ^ ip >> 12) % kBase];
    Tables::Match longest = tables_.longest(ip, history);
    bool of_longest = (longest.entry == nullptr ? base : longest.entry->counter) >= 0, predicted = of_longest;
    if (longest.entry != nullptr && longest.entry->is_new())
      predicted = trust_shorter(ip, taken, history, longest, base);
    longest.entry == nullptr ? step(base, taken, -2, 1) : longest.entry->learn(taken);
    if (of_longest != taken && longest.longer() < kTables) allocate(ip, taken, history, longest);
    return predicted == taken;
  }

 private:
  static constexpr unsigned kTables = 5, kIndexBits = 11;
  static constexpr uint8_t kLengths[kTables] = {5, 11, 24, 52, 112};  // geometric, to BranchHistory::kBits
  static constexpr uint32_t kBase = 8192;

  static void step(int8_t& counter, bool up, int8_t least, int8_t most) {
    if (up && counter < most) ++counter;
    if (!up && counter > least) --counter;
  }

  struct Entry {
    uint16_t tag;
    int8_t counter;  // -4 to 3: taken from 0 on
    uint8_t useful;  // from 0 to 3: how often it was right lately

    [[nodiscard]] bool is_new() const { return useful == 0 && (counter == 0 || counter == -1); }
    void learn(bool taken) {
      constexpr uint8_t kMaxUseful = 3;
      bool right = (counter >= 0) == taken;
      if (right && useful < kMaxUseful) ++useful;
      if (!right && useful > 0) --useful;
      step(counter, taken, -4, 3);
    }
    bool gives_way() {
      if (useful == 0) return true;
      --useful;
      return false;
    }
  };
  using Tables = TaggedTables<Entry, kTables, kIndexBits>;

  // A new entry may know less than the one for a shorter history. Returns the prediction of the one that was
  // right more often, and learns which.
  bool trust_shorter(uint64_t ip, bool taken, const BranchHistory& history, const Tables::Match& longest,
                     int8_t base) {
    constexpr int8_t kMost = 8;
    Tables::Match shorter = tables_.longest(ip, history, longest.table);
    bool of_shorter = (shorter.entry == nullptr ? base : shorter.entry->counter) >= 0;
    bool of_longest = longest.entry->counter >= 0, trusted = distrust_ >= 0 ? of_shorter : of_longest;
    if (of_shorter != of_longest) step(distrust_, of_shorter == taken, -kMost, kMost - 1);
    return trusted;
  }

  void allocate(uint64_t ip, bool taken, const BranchHistory& history, const Tables::Match& longest) {
    Entry* entry = tables_.take_longer(ip, history, longest);
    if (entry != nullptr) entry->counter = taken ? 0 : -1;
  }

  Tables tables_;
  int8_t* base_ = nullptr;  // -2 to 1: taken from 0 on
  int8_t distrust_ = 0;     // of new entries
};

}  // namespace hm::model
