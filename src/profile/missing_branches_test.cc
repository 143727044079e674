// SPDX-License-Identifier: MIT
#include "profile/missing_branches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace hm::profile {
namespace {

// `stack` has the source and target of each branch, oldest first, one letter each. Returns the functions that
// were left.
std::string inferred(std::string_view stack, char sampled) {
  std::vector<uint32_t> functions(stack.begin(), stack.end());
  functions.resize(infer_missing(functions, static_cast<uint32_t>(sampled)));
  return {functions.begin(), functions.end()};
}

TEST(MissingBranches, AreThoseBetweenDifferentFunctions) {
  EXPECT_EQ(inferred("abac", 'c'), "aba") << "a called b, b returned, a called c and that was sampled";
  EXPECT_EQ(inferred("abbc", 'c'), "ab") << "a called b, which called c: nothing is missing";
  EXPECT_EQ(inferred("abac", 'a'), "abac") << "and c returned";
  EXPECT_EQ(inferred("baca", 'a'), "bac") << "returns of b and c; a called c in between";
  EXPECT_EQ(inferred("", 'a'), "");
}

TEST(MissingBranches, OneHalfIsCallsOrReturnsAlone) {
  EXPECT_EQ(recorded_half(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY_CALL), RecordedHalf::kCalls);
  EXPECT_EQ(recorded_half(PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_HW_INDEX),
            RecordedHalf::kReturns);
  EXPECT_EQ(recorded_half(PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN), RecordedHalf::kBoth);
  EXPECT_EQ(recorded_half(PERF_SAMPLE_BRANCH_ANY), RecordedHalf::kBoth);
  EXPECT_EQ(recorded_half(0), RecordedHalf::kBoth);
}

TEST(MissingBranches, OfAProfileKeepWhatIsNew) {
  Profile profile;
  profile.events.resize(1);
  profile.events[0].attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY_CALL;
  for (uint32_t i = 0; i < 4; ++i)
    profile.locations.push_back({.dso = 0, .offset = 0, .function = i, .address = 0});
  Samples& samples = profile.samples;
  for (int i = 0; i < 2; ++i) {
    samples.event.push_back(0);
    samples.location.push_back(3);
    samples.branch.push_back({static_cast<uint32_t>(i * 6), 6});
    samples.new_branches.push_back({static_cast<uint16_t>(i == 0 ? 3 : 1), false});
  }
  samples.left_functions.append({0, 1, 0, 2, 0, 3, 0, 1, 0, 2, 0, 3});
  samples.branch_cycles.append({5, 5, 6, 6, 7, 7, 5, 5, 6, 6, 7, 7});
  infer_missing_branches(profile);
  EXPECT_THAT(samples.left_functions.items(samples.branch[1]), ::testing::ElementsAre(0, 1, 0, 2, 0));
  EXPECT_THAT(samples.branch_cycles.items(samples.branch[1]), ::testing::ElementsAre(5, 0, 6, 0, 7));
  EXPECT_EQ(samples.new_branches[0].count, 5u);
  EXPECT_EQ(samples.new_branches[1].count, 1u) << "the call of 3";
}

}  // namespace
}  // namespace hm::profile
