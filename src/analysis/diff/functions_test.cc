// SPDX-License-Identifier: MIT
#include "analysis/diff/functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/diff/test_recordings.h"

namespace hm::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

Recording build(const TestRows& rows) {
  Recording recording = test_recording(100'000, rows);
  recording.knows_inlines = true;
  return recording;
}

MatchedSides match(const Recording& before, const Recording& after) {
  return match_functions({&before, 1}, {&after, 1});
}

void set_inlined(Recording& recording, const std::string& row, std::vector<std::string> functions,
                 uint64_t samples) {
  recording.events[0].inlined[{{row, "program"}, std::move(functions)}] = {samples, samples * kTestPeriod};
}

// Returns a sketch that depends only on the seed, with `changed` of its 32 values replaced.
FunctionOrigin code_of(unsigned seed, uint32_t instructions = 100, size_t changed = 0) {
  std::mt19937 random(seed);
  FunctionOrigin origin;
  origin.code.instructions = instructions;
  for (uint16_t& each : origin.code.minima) each = static_cast<uint16_t>(random());
  for (size_t i = 0; i < changed; ++i) origin.code.minima[i] ^= 1;
  return origin;
}

TEST(MatchFunctions, AddsUpClonesUnderTheSourcesName) {
  MatchedSides sides = match(build({{"hot", 10}, {"main", 1}}),
                             build({{"hot.constprop.0", 70}, {"hot.cold", 5}, {"main", 1}}));
  EXPECT_THAT(rows_of(sides.before[0]), ElementsAre(Pair("hot", 10), Pair("main", 1)));
  EXPECT_THAT(rows_of(sides.after[0]), ElementsAre(Pair("hot", 75), Pair("main", 1)));
  EXPECT_THAT(sides.notes, IsEmpty());
}

TEST(MatchFunctions, ClonesNumberedOtherwiseAreTheSame) {
  MatchedSides sides = match(build({{"hot.constprop.0", 10}, {"hot.constprop.1", 3}}),
                             build({{"hot.constprop.0", 3}, {"hot.constprop.1", 10}}));
  EXPECT_EQ(rows_of(sides.before[0]), rows_of(sides.after[0]));
  EXPECT_THAT(rows_of(sides.after[0]), ElementsAre(Pair("hot", 13)));
}

TEST(MatchFunctions, ANameThatOnlyOneFunctionHasStays) {
  MatchedSides sides = match(build({{"hot.isra.0", 10}}), build({{"hot.isra.0", 20}}));
  EXPECT_THAT(rows_of(sides.after[0]), ElementsAre(Pair("hot.isra.0", 20)));
}

TEST(MatchFunctions, ParallelRegionsStayApart) {
  MatchedSides sides = match(build({{"f._omp_fn.0", 10}, {"f._omp_fn.1", 3}}),
                             build({{"f._omp_fn.0", 3}, {"f._omp_fn.1", 10}}));
  EXPECT_THAT(rows_of(sides.after[0]), ElementsAre(Pair("f._omp_fn.0", 3), Pair("f._omp_fn.1", 10)));
}

// In `after`, 60 of main's samples are in walk, and 20 of these are in functions inlined into walk.
TEST(MatchFunctions, AnInlinedFunctionGetsItsPartsAsARow) {
  Recording after = build({{"main", 100}});
  set_inlined(after, "main", {"walk"}, 40);
  set_inlined(after, "main", {"load", "walk"}, 20);
  set_inlined(after, "main", {"print"}, 5);
  MatchedSides sides = match(build({{"walk", 30}, {"main", 40}}), after);
  EXPECT_THAT(rows_of(sides.after[0]), ElementsAre(Pair("main", 40), Pair("walk", 60)));
  EXPECT_EQ(sides.after[0].events[0].inlined.size(), 2u) << "load in walk, print in main";
  EXPECT_THAT(sides.notes, ElementsAre(HasSubstr("walk is inlined after")));
  MatchedSides back = match(after, build({{"walk", 30}, {"main", 40}}));
  EXPECT_THAT(rows_of(back.before[0]), ElementsAre(Pair("main", 40), Pair("walk", 60)));
}

TEST(MatchFunctions, ARowThatIsAllInlinedGoes) {
  Recording after = build({{"main", 100}});
  set_inlined(after, "main", {"walk"}, 100);
  MatchedSides sides = match(build({{"walk", 30}}), after);
  EXPECT_THAT(rows_of(sides.after[0]), ElementsAre(Pair("walk", 100)));
}

// A baseline of an older version of hardmeter has no inlined parts.
TEST(MatchFunctions, InlinesOfOneSideAloneAreNotUsed) {
  Recording before = build({{"walk", 30}}), after = build({{"main", 100}});
  before.knows_inlines = false;
  set_inlined(after, "main", {"walk"}, 100);
  EXPECT_THAT(rows_of(match(before, after).after[0]), ElementsAre(Pair("main", 100)));
}

TEST(MatchFunctions, ARenamedFunctionIsFoundByItsCode) {
  Recording before = build({{"old_name", 10}, {"other", 5}, {"main", 1}});
  Recording after = build({{"new_name", 90}, {"third", 5}, {"main", 1}});
  before.origins = {{"old_name", code_of(1)}, {"other", code_of(2)}, {"main", code_of(3)}};
  after.origins = {{"new_name", code_of(1, 110, 6)}, {"third", code_of(4)}, {"main", code_of(3)}};
  MatchedSides sides = match(before, after);
  EXPECT_THAT(rows_of(sides.after[0]), ElementsAre(Pair("main", 1), Pair("old_name", 90), Pair("third", 5)));
  EXPECT_THAT(sides.notes, ElementsAre(HasSubstr("new_name of after is compared with old_name of before")));
  EXPECT_EQ(sides.after[0].other_names.at("old_name"), "new_name");
}

TEST(MatchFunctions, ADoubtfulPairIsNone) {
  Recording before = build({{"old_name", 10}}), after = build({{"new_name", 90}, {"twin", 80}});
  before.origins = {{"old_name", code_of(1)}};
  after.origins = {{"new_name", code_of(1)}, {"twin", code_of(1, 100, 1)}};
  EXPECT_THAT(match(before, after).notes, IsEmpty()) << "two are as much like it";
  after.origins = {{"new_name", code_of(1, 300)}};
  EXPECT_THAT(match(before, after).notes, IsEmpty()) << "three times as long";
  after.origins = {{"new_name", code_of(1, 100, 20)}};
  EXPECT_THAT(match(before, after).notes, IsEmpty()) << "other code";
  after.origins = {{"new_name", code_of(1)}};
  after.defined = {"old_name"};
  EXPECT_THAT(match(before, after).notes, IsEmpty()) << "the program still has it";
}

TEST(MatchFunctions, ARenamedFunctionIsFoundByItsLine) {
  Recording before = build({{"old_name", 10}}), after = build({{"new_name", 90}});
  before.origins["old_name"] = {"walk.c", 12, code_of(1).code};
  after.origins["new_name"] = {"walk.c", 12, code_of(2).code};
  EXPECT_THAT(match(before, after).notes, ElementsAre(HasSubstr("both begin at walk.c:12")));
  after.origins["new_name"].line = 13;
  EXPECT_THAT(match(before, after).notes, IsEmpty());
}

}  // namespace
}  // namespace hm::diff
