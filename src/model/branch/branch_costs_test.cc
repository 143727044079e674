// SPDX-License-Identifier: MIT
#include "model/branch/branch_costs.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "model/branch/branch_predictor.h"
#include "model/test_storage.h"

namespace hm::model {
namespace {

constexpr uint64_t kMispredict = 900;

// Branches, costed as an engine does.
class CostedBranches {
 public:
  CostedBranches() : predictor_(streaks_.data()), costs_(table_.get()) {}

  // The branch's cost with a prediction of every branch.
  uint64_t predicted(uint64_t ip, bool taken) {
    return predictor_.object.conditional(ip, taken) ? 0 : kMispredict;
  }

  // Its cost with predictions in windows, as translated code adds it.
  uint64_t in_windows(uint64_t ip, bool taken) {
    uint16_t entry = streaks_[BranchStreaks::index_of(ip)];
    if (entry == BranchStreaks::long_streak(ip, taken)) return 0;
    if (--table_->until_window < 0) {
      ++predictions;
      uint64_t cost = predicted(ip, taken);
      costs_.object.add(ip, cost, entry == BranchStreaks::long_streak(ip, !taken));
      return cost;
    }
    BranchStreaks(streaks_.data()).count(ip, taken);
    bool ends_streak = entry == BranchStreaks::long_streak(ip, !taken);
    return ends_streak ? kMispredict : table_->means[BranchStreaks::index_of(ip)];
  }

  int64_t predictions = 0;

 private:
  std::vector<uint16_t> streaks_ = std::vector<uint16_t>(kBranchStreaks);
  std::unique_ptr<BranchCostTable> table_ = std::make_unique<BranchCostTable>();
  InStorage<BranchPredictor> predictor_;
  InStorage<BranchCosts> costs_;
};

TEST(BranchCosts, FirstWindowIsLongAndAnEighthIsPredictedAfterIt) {
  CostedBranches branches;
  constexpr int64_t kBranches = BranchCosts::kFirst + 100 * (BranchCosts::kWindow + BranchCosts::kBetween);
  for (int64_t i = 0; i < kBranches; ++i) branches.in_windows(0x401000, i % 3 == 0);
  EXPECT_EQ(branches.predictions, BranchCosts::kFirst + 100 * BranchCosts::kWindow);
}

// Loops of many lengths, biased branches, and some that change their behaviour.
TEST(BranchCosts, WindowsGiveTheSumOfAllPredictions) {
  CostedBranches every, windows;
  std::mt19937_64 random(5);
  uint64_t sum_of_all = 0, sum = 0;
  constexpr int kRounds = 200000;
  const auto branch = [&](uint64_t ip, bool taken) {
    sum_of_all += every.predicted(ip, taken);
    sum += windows.in_windows(ip, taken);
  };
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < 12; ++i) branch(0x401000, i != 11);
    if (round % 8 == 0) {
      for (int i = 0; i < 100; ++i) branch(0x402000, i != 99);
    }
    branch(0x403000, random() % 2 == 0);
    branch(0x404000, random() % 10 == 0);
    branch(0x405000, round % (kRounds / 4) < kRounds / 8 ? random() % 3 == 0 : true);
  }
  EXPECT_NEAR(static_cast<double>(sum) / static_cast<double>(sum_of_all), 1, 0.05);
  EXPECT_LT(windows.predictions, kRounds * 4);
}

}  // namespace
}  // namespace hm::model
