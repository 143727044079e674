// SPDX-License-Identifier: MIT
// The branch stack and the call chain of every sample, compared with the known structure of
// tests/programs/calls.S.
#include <gtest/gtest.h>

#include <algorithm>

#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

constexpr size_t kTurns = 20;
constexpr size_t kDepth = 32;

class BranchStacks : public ::testing::Test {
 protected:
  std::vector<Sample> samples(const Words& options) {
    Words all = Words{"--no-jitter", "-c", "1", "-e", "l1_cache_miss"} + options;
    return record(all, {path_}).of("l1_cache_miss");
  }

  [[nodiscard]] uint64_t at(const std::string& label) const { return labels_.at(label); }
  [[nodiscard]] Branch branch(const std::string& from, const std::string& to) const {
    return {at(from), at(to)};
  }

  // Returns all branches of the requested kinds up to the load of turn 1, 2, ... oldest first.
  [[nodiscard]] std::vector<Branch> path(size_t turn, bool calls, bool returns, bool jumps) const {
    std::vector<Branch> taken;
    const auto take = [&](bool wanted, const std::string& from, const std::string& to) {
      if (wanted) taken.push_back(branch(from, to));
    };
    for (size_t i = 1; i <= turn; ++i) {
      bool odd = (kTurns + 1 - i) % 2 == 1;
      take(calls, "call0", "middle");
      take(calls, "call1", "inner");
      take(jumps, odd ? "odd" : "over", odd ? "side" : "load");
      if (i == turn) break;
      take(returns, "ret2", "after1");
      take(returns, "ret1", "after0");
      take(jumps, "again", "loop");
    }
    return taken;
  }

  void expect_stacks(const std::string& filter, bool calls, bool returns, bool jumps) {
    std::vector<Sample> found = samples({"-b", filter});
    ASSERT_EQ(found.size(), kTurns);
    for (size_t turn = 1; turn <= kTurns; ++turn) {
      std::vector<Branch> expected = path(turn, calls, returns, jumps);
      std::ranges::reverse(expected);
      if (expected.size() > kDepth) expected.resize(kDepth);
      ASSERT_EQ(found[turn - 1].branches, expected) << "with -b " << filter << " at turn " << turn;
    }
  }

  const std::string path_ = program("calls");
  const std::map<std::string, uint64_t> labels_ = labels(path_);
};

TEST_F(BranchStacks, HoldTheWholePath) { expect_stacks("any", true, true, true); }
TEST_F(BranchStacks, HoldCallsAndReturns) { expect_stacks("call,ret", true, true, false); }
TEST_F(BranchStacks, HoldCalls) { expect_stacks("call", true, false, false); }
TEST_F(BranchStacks, HoldReturns) { expect_stacks("ret", false, true, false); }

TEST_F(BranchStacks, OfAnyAreStraightLinesFromBranchToBranch) {
  for (const Sample& sample : samples({"-b", "any"})) {
    uint64_t next_from = sample.ip;
    for (const Branch& each : sample.branches) {
      ASSERT_LE(each.to, next_from);
      next_from = each.from;
    }
  }
}

TEST_F(BranchStacks, AreAbsentWhereNotAskedFor) {
  for (const Sample& sample : samples({})) ASSERT_TRUE(sample.branches.empty());
}

TEST_F(BranchStacks, CallChainsAreTheFramesThatThereAre) {
  std::vector<Sample> found = samples({"-g"});
  ASSERT_EQ(found.size(), kTurns);
  for (const Sample& sample : found) {
    ASSERT_EQ(sample.call_chain, (std::vector<uint64_t>{at("load"), at("after1"), at("after0")}));
  }
}

TEST(CallChains, AreAsDeepAsTheCalls) {
  std::map<std::string, uint64_t> at = labels(program("nested"));
  std::vector<Sample> found =
      record({"--no-jitter", "-c", "1", "-e", "l1_cache_miss", "-g"}, {program("nested")})
          .of("l1_cache_miss");
  ASSERT_GE(found.size(), 30u);
  for (size_t level = 0; level < 30; ++level) {
    std::vector<uint64_t> chain = {at["load"]};
    chain.insert(chain.end(), level, at["deeper"]);
    chain.push_back(at["outermost"]);
    ASSERT_EQ(found[level].call_chain, chain) << "at level " << level;
  }
}

}  // namespace
}  // namespace hm::soft_pmu_test
