// SPDX-License-Identifier: MIT
// What conditional branches cost, predicted in windows only: a window of branches is predicted, and the mean
// cost of each is learned. Until the next window, translated code adds the mean at the branch itself, which
// is ten times faster than a prediction. Estimates of time can be sampled in this way (Wunderlich, Wenisch,
// Falsafi and Hoe, "SMARTS", ISCA 2003); counts of mispredictions cannot. Freestanding.
//
// Branches of a long streak (branch_streaks.h) do not count here. One that ends a streak is always
// mispredicted, also between windows, and is no part of the mean.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/branch/branch_streaks.h"

namespace hm::model {

// What translated code reads and writes.
struct BranchCostTable {
  int64_t until_window = 0;          // branches until the next window; negative in a window: predict
  uint32_t means[kBranchStreaks]{};  // by BranchStreaks::index_of, in the unit of the costs
};

class BranchCosts {
 public:
  static constexpr int64_t kFirst = 1 << 18;  // the first window is longer: the predictor learns
  static constexpr int64_t kWindow = 4096, kBetween = 7 * kWindow;
  static constexpr int64_t kWarm = 128;  // branches until the history is that of the window

  BranchCosts() = default;
  BranchCosts(BranchCostTable* table, Arena& arena)
      : table_(table), sums_(arena.take<uint32_t>(kBranchStreaks)) {}

  // Takes the cost of a branch that was predicted. `ends_streak`: BranchPredictor::ends_streak() before it.
  void add(uint64_t ip, uint64_t cost, bool ends_streak) {
    if (++in_window_ > kWarm && !ends_streak) learn(BranchStreaks::index_of(ip), cost);
    if (in_window_ < length_) return;
    in_window_ = 0;
    length_ = kWindow;
    table_->until_window = kBetween;
  }

 private:
  static constexpr unsigned kShift = 4;  // a mean changes by a sixteenth of the difference
  static constexpr uint64_t kMost = UINT32_MAX >> (kShift + 1);

  // `sums_` are sixteen times the means.
  void learn(uint32_t index, uint64_t cost) {
    uint32_t& sum = sums_[index];
    sum += static_cast<uint32_t>(cost < kMost ? cost : kMost) - (sum >> kShift);
    table_->means[index] = sum >> kShift;
  }

  BranchCostTable* table_ = nullptr;
  uint32_t* sums_ = nullptr;
  int64_t in_window_ = 0, length_ = kFirst;
};

}  // namespace hm::model
