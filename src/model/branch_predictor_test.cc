// SPDX-License-Identifier: MIT
#include "model/branch_predictor.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <vector>

#include "model/test_storage.h"

namespace hm::model {
namespace {

// gshare as in the paper: a table of counters from 0 to 3, indexed by the exclusive or of address and
// history.
class SlowGshare {
 public:
  bool conditional(uint64_t ip, bool taken) {
    uint64_t index = 0;
    for (unsigned bit = 0; bit < BranchPredictor::kHistoryBits; ++bit) {
      bool history_bit = bit < history_.size() && history_[bit];
      index |= uint64_t{((ip >> bit & 1) != 0) != history_bit} << bit;
    }
    int& counter = counters_[index];
    bool right = (counter >= 2) == taken;
    counter = taken ? std::min(counter + 1, 3) : std::max(counter - 1, 0);
    history_.push_front(taken);
    if (history_.size() > BranchPredictor::kHistoryBits) history_.pop_back();
    return right;
  }

 private:
  std::map<uint64_t, int> counters_;
  std::deque<bool> history_;  // newest first
};

TEST(BranchPredictor, AgreesWithTheSlowOneOnConditions) {
  InStorage<BranchPredictor> fast;
  SlowGshare slow;
  std::mt19937_64 random(5);
  for (int i = 0; i < 300000; ++i) {
    uint64_t ip = 0x401000 + random() % 600;
    bool taken = random() % 8 < ip % 9;
    ASSERT_EQ(fast.object.conditional(ip, taken), slow.conditional(ip, taken)) << "at step " << i;
  }
}

TEST(BranchPredictor, KnowsALoopAfterItsHistoryHasFilled) {
  InStorage<BranchPredictor> owned;
  unsigned wrong = 0;
  for (int i = 0; i < 1000; ++i) wrong += owned.object.conditional(0x401000, true) ? 0 : 1;
  EXPECT_EQ(wrong, BranchPredictor::kHistoryBits + 2);
  EXPECT_FALSE(owned.object.conditional(0x401000, false));
}

TEST(BranchPredictor, RemembersTheLastTargetOfEachPlace) {
  InStorage<BranchPredictor> owned;
  EXPECT_FALSE(owned.object.indirect(0x401000, 0x500000));
  EXPECT_TRUE(owned.object.indirect(0x401000, 0x500000));
  EXPECT_FALSE(owned.object.indirect(0x401000, 0x600000));
  EXPECT_TRUE(owned.object.indirect(0x401000, 0x600000));
  EXPECT_FALSE(owned.object.indirect(0x401000 + BranchPredictor::kTargets, 0x500000))
      << "they share an entry";
  EXPECT_FALSE(owned.object.indirect(0x401000, 0x600000));
}

TEST(BranchPredictor, ReturnsMatchCallsAsDeepAsItsStack) {
  InStorage<BranchPredictor> owned;
  constexpr uint64_t kDepth = BranchPredictor::kReturns + 4;
  for (uint64_t i = 1; i <= kDepth; ++i) owned.object.call(i);
  for (uint64_t i = kDepth; i >= 1; --i) EXPECT_EQ(owned.object.ret(i), i > 4) << i;
}

}  // namespace
}  // namespace hm::model
