// SPDX-License-Identifier: MIT
#include "analysis/diff/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/diff/functions.h"
#include "analysis/diff/test_recordings.h"

namespace hm::diff {
namespace {

using ::testing::HasSubstr;

Result<Check> check(const std::string& spec, const std::vector<Recording>& before,
                    const std::vector<Recording>& after) {
  Result<Limit> limit = parse_limit(spec);
  if (!limit) return limit.error();
  const MatchedSides matched = match_functions(before, after);
  return check_limit(*limit, Side(matched.before), Side(matched.after));
}

std::string verdict(const std::string& spec, const std::vector<Recording>& before,
                    const std::vector<Recording>& after) {
  Result<Check> result = check(spec, before, after);
  return result ? std::string(name_of(result->verdict)) : result.error().message;
}

// Compares totals.
std::string verdict(const std::string& spec, double before, double after) {
  return verdict(spec, {test_recording(before, {})}, {test_recording(after, {})});
}

TEST(ParseLimit, TakesEachForm) {
  Limit percent = *parse_limit("l1_cache_miss:2%");
  EXPECT_EQ(percent.event, "l1_cache_miss");
  EXPECT_TRUE(percent.relative);
  EXPECT_DOUBLE_EQ(percent.growth, 0.02);
  Limit absolute = *parse_limit("cycles:u:+5000");
  EXPECT_EQ(absolute.event, "cycles:u");
  EXPECT_FALSE(absolute.relative);
  EXPECT_DOUBLE_EQ(absolute.growth, 5000);
  Limit function = *parse_limit("miss@ns::f(int):+10%");
  EXPECT_EQ(function.event, "miss");
  EXPECT_EQ(function.function, "ns::f(int)");
  EXPECT_DOUBLE_EQ(function.growth, 0.1);
  Limit rate = *parse_limit("miss/kinst:+0.5");
  EXPECT_EQ(rate.event, "miss");
  EXPECT_TRUE(rate.per_thousand_instructions);
}

TEST(ParseLimit, RefusesWithASentence) {
  for (const char* bad :
       {"", "miss", "miss:", "miss:2", "miss:%", "miss:+", "miss:-2%", "miss:+-2", "miss:2%x", "miss:nan%",
        "miss:+inf", "miss:1e3%", "miss:+1e300", ":2%", "@f:2%", "miss@:2%", "/kinst:2%", "miss:++2"}) {
    Result<Limit> limit = parse_limit(bad);
    ASSERT_FALSE(limit.ok()) << bad;
    EXPECT_EQ(limit.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(limit.error().message, HasSubstr("cannot read the limit '" + std::string(bad) + "'"));
  }
}

TEST(CheckLimit, ExactTotalsAreJudgedToTheEvent) {
  EXPECT_EQ(verdict("miss:2%", 10'000, 10'200), "within");
  EXPECT_EQ(verdict("miss:2%", 10'000, 10'201), "exceeded");
  EXPECT_EQ(verdict("miss:15%", 100, 115), "within");  // 1.15 * 100 is less than 115 in binary
  EXPECT_EQ(verdict("miss:+50", 10'000, 10'050), "within");
  EXPECT_EQ(verdict("miss:+50", 10'000, 10'051), "exceeded");
  EXPECT_EQ(verdict("miss:0%", 10'000, 9'000), "within");
  EXPECT_EQ(verdict("miss:10%", 0, 1), "exceeded");
  EXPECT_EQ(verdict("miss:10%", 0, 0), "within");
}

TEST(CheckLimit, RatesAreOfAThousandInstructions) {
  EXPECT_EQ(verdict("miss/kinst:+0.5", 10'000, 10'500), "within");  // per million instructions
  EXPECT_EQ(verdict("miss/kinst:+0.5", 10'000, 10'501), "exceeded");
  Recording uncounted = test_recording(10'000, {});
  uncounted.events.pop_back();
  EXPECT_THAT(verdict("miss/kinst:+0.5", {uncounted}, {uncounted}),
              HasSubstr("instructions were not counted"));
}

TEST(CheckLimit, RowsFailOnlyWhereTheIntervalIsBeyond) {
  std::vector<Recording> before{test_recording(10'000, {{"f(int)", 50}, {"g", 50}})};
  // The row has 5,000 events before; 10 % more are 5,500.
  EXPECT_EQ(verdict("miss@f:10%", before, {test_recording(20'000, {{"f(int)", 150}, {"g", 50}})}),
            "exceeded");
  EXPECT_EQ(verdict("miss@f:10%", before, {test_recording(10'000, {{"f(int)", 60}, {"g", 40}})}),
            "undetermined");
  EXPECT_EQ(verdict("miss@f:10%", before, {test_recording(6'000, {{"f(int)", 20}, {"g", 40}})}), "within");
  EXPECT_EQ(verdict("miss@f:+9000", before, {test_recording(10'000, {{"f(int)", 60}, {"g", 40}})}), "within");
}

TEST(CheckLimit, SamplesOfAPartDecideNothing) {
  Recording before = test_recording(10'000, {{"f", 50}, {"g", 50}});
  Recording after = test_recording(10'000, {{"f", 100}});
  EXPECT_EQ(verdict("miss@f:10%", {before}, {after}), "exceeded");
  after.partial = true;
  EXPECT_EQ(verdict("miss@f:10%", {before}, {after}), "undetermined");
}

// The function is known from samples of another event.
TEST(CheckLimit, AFunctionWithoutSamplesIsToldSo) {
  Recording recording = test_recording(10'000, {{"f", 50}});
  Event other = recording.events[0];
  other.name = "other";
  other.rows = {{{"rare", "program"}, {3, 30}}};
  recording.events.push_back(other);
  std::vector<Recording> both{recording};
  Result<Check> result = check("miss@rare:10%", both, both);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->no_samples);
  EXPECT_EQ(result->verdict, Verdict::kUndetermined);
}

TEST(CheckLimit, AFunctionThatNobodyKnowsIsAnError) {
  std::vector<Recording> both{test_recording(10'000, {{"f", 50}})};
  EXPECT_THAT(verdict("miss@nowhere:10%", both, both), HasSubstr("'nowhere'"));
}

TEST(CheckLimit, ClonesAreTheFunction) {
  std::vector<Recording> before{test_recording(10'000, {{"f", 50}, {"g", 50}})};
  for (const char* clone : {"f.constprop.0", "f.isra.0", "f.part.0", "f.llvm.123"}) {
    std::vector<Recording> after{test_recording(20'000, {{clone, 150}, {"g", 50}})};
    EXPECT_EQ(verdict("miss@f:10%", before, after), "exceeded") << clone;
    EXPECT_EQ(verdict(std::string("miss@") + clone + ":10%", before, after), "exceeded") << clone;
  }
}

TEST(CheckLimit, InlinedPartsBelongToTheFunction) {
  Recording before = test_recording(10'000, {{"f", 50}, {"g", 50}});
  Recording after = test_recording(20'000, {{"f", 10}, {"g", 190}});
  before.knows_inlines = after.knows_inlines = true;
  after.events[0].inlined[{{"g", "program"}, {"f"}}] = {140, 140 * kTestPeriod};
  EXPECT_EQ(verdict("miss@f:10%", {before}, {after}), "exceeded");
  after.events[0].inlined.clear();
  EXPECT_EQ(verdict("miss@f:10%", {before}, {after}), "within");
  after = test_recording(20'000, {{"g", 200}});
  after.knows_inlines = true;
  after.events[0].inlined[{{"g", "program"}, {"f"}}] = {140, 140 * kTestPeriod};
  before.knows_inlines = false;
  EXPECT_THAT(verdict("miss@f:10%", {before}, {after}), HasSubstr("save it again"));
}

TEST(CheckLimit, AFunctionThatIsGoneIsAFailure) {
  std::vector<Recording> before{test_recording(10'000, {{"f", 50}, {"g", 50}})};
  Recording after = test_recording(20'000, {{"h", 150}, {"g", 50}});
  EXPECT_EQ(verdict("miss@f:10%", before, {after}), "gone");
  after.defined = {"f(int)"};
  EXPECT_EQ(verdict("miss@f:10%", before, {after}), "within") << "it misses no more";
  after.defined.clear();
  after.baseline = true;
  after.rows_from = 0.05;
  EXPECT_EQ(verdict("miss@f:10%", before, {after}), "within") << "a baseline leaves out what is small";
}

TEST(CheckLimit, RefusesWhatCannotBeLookedAt) {
  Recording one = test_recording(10'000, {{"f", 50}});
  EXPECT_THAT(verdict("other:2%", {one}, {one}), HasSubstr("neither side has other"));
  EXPECT_THAT(verdict("instr_retired@f:2%", {one}, {one}), HasSubstr("counted but not sampled"));
  Recording by_dso = one;
  by_dso.columns = {"dso", "comm"};
  EXPECT_THAT(verdict("miss@f:2%", {by_dso}, {by_dso}), HasSubstr("by dso"));
  Recording hardware = test_recording(10'000, {{"f", 50}}, "hardware");
  EXPECT_THAT(verdict("miss:2%", {hardware}, {hardware}), HasSubstr("with one run of each side"));
}

TEST(CheckLimit, HardwareIsJudgedByRepeatedRuns) {
  auto run = [](double total) { return test_recording(total, {{"f", 100}}, "hardware"); };
  std::vector<Recording> before{run(1000), run(1010), run(990)};
  EXPECT_EQ(verdict("miss:10%", before, {run(1300), run(1310), run(1290)}), "exceeded");
  EXPECT_EQ(verdict("miss:10%", before, {run(1000), run(1010), run(990)}), "within");
  EXPECT_EQ(verdict("miss:10%", before, {run(900), run(1310), run(1290)}), "undetermined");
}

}  // namespace
}  // namespace hm::diff
