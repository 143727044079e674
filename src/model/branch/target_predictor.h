// SPDX-License-Identifier: MIT
// Predicts the target of an indirect jump or call after the longest history that is known: ITTAGE (Seznec, "A
// 64-Kbytes ITTAGE Indirect Branch Predictor", JWAC-2, 2011), small. Freestanding.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/branch/branch_history.h"
#include "model/branch/tagged_tables.h"

namespace hm::model {

class TargetPredictor {
 public:
  TargetPredictor() = default;
  explicit TargetPredictor(Arena& arena) : tables_(kLengths, arena) {}

  // Returns whether the prediction was right, and learns the target. Targets are compared by their low 32
  // bits.
  bool predict(uint64_t ip, uint64_t target, const BranchHistory& history) {
    Tables::Match longest = tables_.longest(ip, history);
    auto low = static_cast<uint32_t>(target);
    bool right = longest.entry != nullptr && longest.entry->target == low;
    if (longest.entry != nullptr) longest.entry->learn(low);
    if (right) return true;
    Entry* entry = tables_.take_longer(ip, history, longest);
    if (entry != nullptr) entry->target = low;
    return false;
  }

 private:
  static constexpr unsigned kTables = 4, kIndexBits = 10;
  static constexpr uint8_t kLengths[kTables] = {0, 8, 24, 60};

  struct Entry {
    uint16_t tag;
    uint8_t confidence;
    uint32_t target;

    void learn(uint32_t met) {
      constexpr uint8_t kMost = 3;
      if (met == target) {
        if (confidence < kMost) ++confidence;
      } else if (confidence > 0) {
        --confidence;
      } else {
        target = met;
      }
    }
    bool gives_way() {
      if (confidence == 0) return true;
      --confidence;
      return false;
    }
  };
  using Tables = TaggedTables<Entry, kTables, kIndexBits>;

  Tables tables_;
};

}  // namespace hm::model
