// SPDX-License-Identifier: MIT
// Tests the code that costs need: calls of the branch predictor, and the time of paths.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "model/branch/branch_predictor.h"
#include "model/branch/branch_streaks.h"
#include "pmu/soft/direct/core/core_offsets.h"
#include "pmu/soft/direct/translate/harness/harness.h"
#include "pmu/soft/sampling/core_costs.h"

namespace hm::soft::direct {
namespace {

constexpr uint32_t kCycle = model::Costs::kPerCycle;

class CopiedCosts : public Translation {
 protected:
  CopiedCosts() : from_(random_state(3)), end_(put_ending(std::vector<uint8_t>{0x90})) {}

  // Puts `code` with a jump behind it if rax is rcx: cmp rax, rcx; je `target`. Otherwise, a jump to the end.
  uint64_t put_branch(std::vector<uint8_t> code, uint64_t target) {
    code.insert(code.end(), {0x48, 0x39, 0xc8, 0x0f, 0x84, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0});
    uint64_t at = put(code);
    const auto lead = [&](uint64_t displacement, uint64_t to) {
      auto distance = static_cast<int32_t>(to - (displacement + 4));
      std::memcpy(reinterpret_cast<void*>(displacement), &distance, sizeof(distance));
    };
    lead(at + code.size() - 9, target);
    lead(at + code.size() - 4, end_);
    branch_ = at + code.size() - 11;
    return at;
  }

  Left run(uint64_t source, bool taken) {
    from_.registers[kAx] = 1;
    from_.registers[kCx] = taken ? 1 : 2;
    return run_copy(copy(source), from_);
  }

  uint16_t& streak() { return core_->filters.streaks[model::BranchStreaks::index_of(branch_)]; }
  static std::vector<CallOut> predictions(const Left& left) {
    std::vector<CallOut> found;
    std::ranges::copy_if(left.calls, std::back_inserter(found),
                         [](const CallOut& call) { return call.thunk == kBranch; });
    return found;
  }
  // The work that copies have added to the core's.
  uint64_t work() const { return costs_field(CoreCosts::work_offset()); }
  uint64_t branch_work() const { return costs_field(CoreCosts::branch_work_offset()); }
  uint64_t costs_field(uint64_t offset) const {
    uint64_t value = 0;
    const auto* field = reinterpret_cast<const uint8_t*>(core_) + offsetof(Core, model.costs) + offset;
    std::memcpy(&value, field, sizeof(value));
    return value;
  }
  void time_paths() {
    plan_.times_paths = true;
    plan_.pipeline = {.width = kCycle / 8, .integer = kCycle / 4, .window = 100};
  }

  // Puts a call of `target`. Returns its address and the address behind it.
  std::pair<uint64_t, uint64_t> put_call(uint64_t target) {
    constexpr uint64_t kCallBytes = 5;
    uint64_t at = put(std::vector<uint8_t>{0xe8, 0, 0, 0, 0});
    auto distance = static_cast<int32_t>(target - (at + kCallBytes));
    std::memcpy(reinterpret_cast<void*>(at + 1), &distance, sizeof(distance));
    return {at, at + kCallBytes};
  }

  // Runs a copied return to `target`, and the predictor where the copy calls it. Returns whether the copy's
  // prediction was right.
  bool predict_return(const Block& push_and_return, uint64_t target) {
    from_.registers[kDx] = target;
    Left left = run_copy(push_and_return, from_);
    EXPECT_EQ(left.target, target);
    std::vector<CallOut> calls = predictions(left);
    if (calls.empty()) return true;
    EXPECT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].r11 & ((1u << BRANCH_TAKEN_SHIFT) - 1), static_cast<uint64_t>(BranchKind::kReturn));
    EXPECT_FALSE(core_->model.predictor.ret(target)) << "the copy has not popped the address";
    return false;
  }

  State from_;
  uint64_t end_, branch_ = 0;
};

TEST_F(CopiedCosts, ABranchIsPredictedUnlessItHasGoneThereForLong) {
  plan_.demand.predictor = true;
  uint64_t source = put_branch({}, end_);
  for (bool taken : {true, false}) {
    for (uint16_t entry : {uint16_t{0}, model::BranchStreaks::long_streak(branch_, taken),
                           model::BranchStreaks::long_streak(branch_, !taken)}) {
      streak() = entry;
      std::vector<CallOut> calls = predictions(run(source, taken));
      bool is_known = entry == model::BranchStreaks::long_streak(branch_, taken);
      ASSERT_EQ(calls.size(), is_known ? 0u : 1u) << taken << ' ' << entry;
      EXPECT_EQ(streak(), entry) << "only the predictor writes it";
      if (is_known) continue;
      EXPECT_EQ(calls[0].r10, branch_);
      EXPECT_EQ((calls[0].r11 >> BRANCH_TAKEN_SHIFT & 1) != 0, taken);
    }
  }
}

TEST_F(CopiedCosts, BetweenWindowsABranchAddsItsMeanCostAndCountsForItsStreak) {
  plan_.demand.predictor = plan_.demand.in_windows = true;
  plan_.mispredict = 15 * kCycle;
  uint64_t source = put_branch({}, end_);
  model::BranchCostTable& costs = core_->filters.branch_costs;
  constexpr uint32_t kMean = 123;
  costs.means[model::BranchStreaks::index_of(branch_)] = kMean;
  model::BranchStreaks slow(core_->filters.streaks);
  costs.until_window = 1000;
  for (int i = 0; i < 300; ++i) {
    bool taken = i < 150 ? i % 100 < 80 : i % 7 == 0;
    uint16_t before = streak();
    bool is_long = before == model::BranchStreaks::long_streak(branch_, taken);
    bool ends_streak = before == model::BranchStreaks::long_streak(branch_, !taken);
    int64_t until = costs.until_window;
    uint64_t work_before = branch_work();
    ASSERT_TRUE(predictions(run(source, taken)).empty());
    ASSERT_EQ(costs.until_window, is_long ? until : until - 1);
    ASSERT_EQ(branch_work() - work_before, is_long       ? 0
                                           : ends_streak ? plan_.mispredict
                                                         : kMean)
        << "branch " << i;
    uint16_t found = streak();
    streak() = before;
    slow.count(branch_, taken);
    ASSERT_EQ(found, streak()) << "branch " << i;
  }
}

TEST_F(CopiedCosts, InAWindowEveryBranchIsPredicted) {
  plan_.demand.predictor = plan_.demand.in_windows = true;
  uint64_t source = put_branch({}, end_);
  model::BranchCostTable& costs = core_->filters.branch_costs;
  costs.until_window = 2;
  for (bool taken : {true, false}) EXPECT_TRUE(predictions(run(source, taken)).empty());
  for (bool taken : {true, false}) EXPECT_EQ(predictions(run(source, taken)).size(), 1u) << taken;
}

TEST_F(CopiedCosts, ABranchKeepsTheFlagsThatItsTargetReads) {
  plan_.demand.predictor = plan_.demand.in_windows = true;
  time_paths();
  core_->filters.branch_costs.until_window = 2;                          // between windows, then in one
  uint64_t reader = put_ending(std::vector<uint8_t>{0x0f, 0x92, 0xc2});  // setb dl
  uint64_t source = put_branch({}, reader);
  uint16_t taken_for_long = model::BranchStreaks::long_streak(branch_, true);
  for (uint16_t entry : {uint16_t{0}, taken_for_long, uint16_t{0}, uint16_t{0}, uint16_t{0}}) {
    streak() = entry;
    Left left = run(source, true);
    EXPECT_EQ(left.target, reader);
    EXPECT_EQ(left.state.flags & (kCarryFlag | kZeroFlag | kSignFlag), kZeroFlag) << entry;
  }
}

// Compares copies of calls and returns with the predictor: recursion deeper than its stack, returns without
// calls, and returns that leave several calls at once, as longjmp does.
TEST_F(CopiedCosts, CallsAndReturnsChangeTheReturnStackAsThePredictorDoes) {
  plan_.demand.predictor = plan_.demand.predicts_returns = true;
  constexpr uint64_t kDepth = model::BranchPredictor::kReturns;
  std::vector<std::pair<uint64_t, uint64_t>> calls;
  for (int i = 0; i < 7; ++i) calls.push_back(put_call(end_));
  const Block& push_and_return = copy(put(std::vector<uint8_t>{0x52, 0xc3}));  // push rdx; ret
  model::BranchPredictor slow;
  std::vector<uint64_t> stack;
  std::mt19937_64 random(19);
  int right = 0, wrong = 0;
  const auto call = [&] {
    auto [at, behind] = calls[random() % calls.size()];
    ASSERT_TRUE(predictions(run_copy(copy(at), from_)).empty());
    slow.call(behind);
    stack.push_back(behind);
  };
  const auto ret = [&](uint64_t target) {
    bool expected = slow.ret(target);
    ASSERT_EQ(predict_return(push_and_return, target), expected);
    ++(expected ? right : wrong);
  };
  for (int round = 0; round < 40; ++round) {
    for (uint64_t i = random() % (3 * kDepth); i != 0; --i) call();
    while (!stack.empty()) {
      if (random() % 20 == 0) stack.resize(stack.size() - random() % stack.size());
      ret(stack.back());
      stack.pop_back();
    }
    for (uint64_t i = random() % (2 * kDepth); i != 0; --i) ret(calls[random() % calls.size()].second);
  }
  EXPECT_GT(right, 500);
  EXPECT_GT(wrong, 500);
}

TEST_F(CopiedCosts, AnIndirectCallPushesItsReturnAddressOnce) {
  plan_.demand.predictor = plan_.demand.predicts_returns = true;
  from_.registers[kDx] = end_;
  std::vector<CallOut> calls = predictions(run_copy(copy(put(std::vector<uint8_t>{0xff, 0xd2})), from_));
  ASSERT_EQ(calls.size(), 1u) << "the predictor pushes it";
  EXPECT_EQ(calls[0].r11 >> BRANCH_LENGTH_SHIFT & 0xf, 2u);
  EXPECT_TRUE(core_->model.predictor.ret(0)) << "no address has been pushed";
}

TEST_F(CopiedCosts, CallsAndReturnsKeepFlagsThatAreReadBehindThem) {
  plan_.demand.predictor = plan_.demand.predicts_returns = true;
  uint64_t reader = put_ending(std::vector<uint8_t>{0x0f, 0x92, 0xc2});  // setb dl
  auto [call, behind] = put_call(reader);
  const auto flags_are_kept = [&](const Block& block) {
    Left left = run_copy(block, from_);
    return (left.state.flags & kStatusFlags) == (from_.flags & kStatusFlags);
  };
  uint64_t ret = put(std::vector<uint8_t>{0x52, 0xc3});  // push rdx; ret
  const Block& call_block = copy(call);
  const Block& return_block = copy(ret, Mode::kCollecting, true);
  from_.registers[kDx] = behind;
  for (uint64_t flags : {uint64_t{0}, uint64_t{kStatusFlags}}) {
    from_.flags = 0x202 | flags;
    EXPECT_TRUE(flags_are_kept(call_block)) << flags;
    EXPECT_TRUE(flags_are_kept(return_block)) << flags << ", with the call's return address";
    EXPECT_TRUE(flags_are_kept(return_block)) << flags << ", with another";
  }
}

TEST_F(CopiedCosts, ReturnsAreNotPredictedUnlessMispredictionsAreCounted) {
  plan_.demand.predictor = true;
  auto [call, behind] = put_call(end_);
  from_.registers[kDx] = behind;
  EXPECT_TRUE(predictions(run_copy(copy(call), from_)).empty());
  EXPECT_TRUE(predictions(run_copy(copy(put(std::vector<uint8_t>{0x52, 0xc3})), from_)).empty());
  EXPECT_TRUE(core_->model.predictor.ret(0)) << "no address has been pushed";
}

TEST_F(CopiedCosts, APathTakesItsTimeOnEitherSide) {
  time_paths();
  // imul rdx, rdx, four times: three cycles each
  std::vector<uint8_t> chain;
  for (int i = 0; i < 4; ++i) chain.insert(chain.end(), {0x48, 0x0f, 0xaf, 0xd2});
  uint64_t source = put_branch(chain, end_);
  for (bool taken : {true, false}) {
    uint64_t before = work();
    run(source, taken);
    EXPECT_EQ(work() - before, 12u * kCycle) << taken;
  }
}

TEST_F(CopiedCosts, APathTakesNoTimeWithoutCalibration) {
  uint64_t source = put_branch({}, end_);
  run(source, true);
  EXPECT_EQ(work(), 0u);
}

}  // namespace
}  // namespace hm::soft::direct
