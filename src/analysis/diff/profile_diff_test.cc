// SPDX-License-Identifier: MIT
#include "analysis/diff/profile_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/diff/test_recordings.h"
#include "profile/event_counts.h"

namespace hm::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Diff diff_of(std::vector<Recording> before, std::vector<Recording> after, const Options& options = {}) {
  Result<Diff> result = find_diff(before, after, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *std::move(result) : Diff();
}

std::string error_of(std::vector<Recording> before, std::vector<Recording> after,
                     const Options& options = {}) {
  Result<Diff> result = find_diff(before, after, options);
  EXPECT_FALSE(result.ok());
  return result.ok() ? "" : result.error().message;
}

const Row& row_named(const Diff& diff, const std::string& function) {
  for (const Row& row : diff.rows.at(0).rows) {
    if (row.names[0] == function) return row;
  }
  throw std::runtime_error("no row " + function);
}

TEST(Diff, TotalsOfTheSoftwarePmuAreExact) {
  Diff diff = diff_of({test_recording(10'000, {{"f", 100}})}, {test_recording(10'001, {{"f", 100}})});
  const Total& miss = diff.totals[0];  // the larger relative change
  EXPECT_EQ(miss.event, "miss");
  EXPECT_DOUBLE_EQ(*miss.change.absolute, 1);
  EXPECT_DOUBLE_EQ(*miss.change.relative, 0.0001);
  EXPECT_EQ(miss.change.limits, (Interval{1, 1}));
  EXPECT_TRUE(miss.change.significant());
  EXPECT_TRUE(miss.change.exact);
  EXPECT_EQ(diff.totals[1].event, "instr_retired");
  EXPECT_FALSE(diff.totals[1].change.significant());
  EXPECT_THAT(diff.differences, IsEmpty());
  EXPECT_THAT(diff.notes, IsEmpty());
}

// Computed by hand: 80 of 100 samples of 10,000 events, then 50 of 100 of 12,000, with Wilson's limits of
// both.
TEST(Diff, RowsAreSharesOfTheTotalWithNewcombesInterval) {
  Diff diff = diff_of({test_recording(10'000, {{"f", 80}, {"g", 20}})},
                      {test_recording(12'000, {{"f", 50}, {"g", 50}})});
  const Row& f = row_named(diff, "f");
  EXPECT_DOUBLE_EQ(*f.before.value, 8000);
  EXPECT_DOUBLE_EQ(*f.after.value, 6000);
  EXPECT_NEAR(f.before.limits.low, 7111.7, 0.5);
  EXPECT_NEAR(f.before.limits.high, 8666.3, 0.5);
  EXPECT_NEAR(f.after.limits.low, 4845.8, 0.5);
  EXPECT_NEAR(f.after.limits.high, 7154.2, 0.5);
  // -2000 - sqrt(1154.2^2 + 666.3^2), -2000 + sqrt(1154.2^2 + 888.3^2)
  EXPECT_NEAR(f.change.limits->low, -3332.7, 1);
  EXPECT_NEAR(f.change.limits->high, -543.5, 1);
  EXPECT_TRUE(f.change.significant());
  EXPECT_EQ(diff.rows[0].rows[0].names[0], "g");  // +4000 is the greater change
}

TEST(Diff, ASmallChangeIsNotSignificant) {
  Diff diff = diff_of({test_recording(10'000, {{"f", 50}, {"g", 50}})},
                      {test_recording(10'000, {{"f", 53}, {"g", 47}})});
  EXPECT_FALSE(row_named(diff, "f").change.significant());
}

TEST(Diff, ARowOnOneSideHasNoSamplesOnTheOther) {
  Diff diff =
      diff_of({test_recording(10'000, {{"f", 100}})}, {test_recording(10'000, {{"f", 60}, {"new", 40}})});
  const Row& row = row_named(diff, "new");
  EXPECT_EQ(row.before.value, 0);
  EXPECT_GT(row.before.limits.high, 0);
  EXPECT_FALSE(row.change.relative);
  EXPECT_TRUE(row.change.significant());
}

TEST(Diff, WhatABaselineLeftOutIsNotZero) {
  Recording baseline = test_recording(10'000, {{"f", 100}});
  baseline.rows_from = 0.05;
  Diff diff = diff_of({baseline}, {test_recording(10'000, {{"f", 92}, {"small", 8}})});
  const Row& row = row_named(diff, "small");
  EXPECT_FALSE(row.before.value);
  EXPECT_FALSE(row.change.absolute);
  EXPECT_DOUBLE_EQ(row.before.limits.high, 10'000 * profile::wilson_share(0.05, 100).high);
  EXPECT_FALSE(row.change.significant());
  EXPECT_THAT(diff.notes, ElementsAre(HasSubstr("left out")));
}

TEST(Diff, RowsAreExactWhereEachEventIsASample) {
  Recording before = test_recording(7, {}), after = test_recording(8, {});
  for (Recording* each : {&before, &after}) {
    Event& event = each->events[0];
    event.samples = event.weight = static_cast<uint64_t>(*event.total);
    event.effective_samples = *event.total;
    event.complete = true;
    event.rows[{"f", "program"}] = {event.samples, event.weight};
  }
  Diff diff = diff_of({before}, {after});
  EXPECT_TRUE(diff.rows[0].exact);
  EXPECT_EQ(row_named(diff, "f").change.limits, (Interval{1, 1}));
  before.pmu = after.pmu = "kernel";
  EXPECT_FALSE(diff_of({before}, {after}).rows[0].exact);
}

TEST(Diff, ExactRowsHaveNoRoundingErrors) {
  Recording before = test_recording(49, {}), after = test_recording(50, {});
  for (Recording* each : {&before, &after}) {
    Event& event = each->events[0];
    event.samples = event.weight = static_cast<uint64_t>(*event.total);
    event.effective_samples = *event.total;
    event.complete = true;
    event.rows[{"f", "program"}] = {31, 31};
    event.rows[{"g", "program"}] = {event.samples - 31, event.weight - 31};
  }
  Diff diff = diff_of({before}, {after});
  for (const Row& row : diff.rows[0].rows) {
    if (row.names.front() == "f") EXPECT_EQ(row.change.absolute, 0.0);
  }
}

// The functions of the part that was not sampled are unknown.
TEST(Diff, SharesOfAPartAreNotThoseOfTheRun) {
  Recording before = test_recording(10'000, {{"f", 50}, {"g", 50}});
  Recording after = test_recording(10'000, {{"f", 100}});
  EXPECT_TRUE(row_named(diff_of({before}, {after}), "f").change.significant());
  after.partial = true;
  const Row row = row_named(diff_of({before}, {after}), "f");
  EXPECT_FALSE(row.change.significant());
  EXPECT_FALSE(row.after.value.has_value());
  EXPECT_EQ(row.after.limits.low, 0);
}

TEST(Diff, AnEventWithoutSamplesTellsOnlyItsTotal) {
  Diff diff = diff_of({test_recording(50, {})}, {test_recording(60, {{"f", 1}})});
  EXPECT_EQ(diff.totals[0].change.absolute, 10);
  const Row& row = row_named(diff, "f");
  EXPECT_FALSE(row.before.value);
  EXPECT_EQ(row.before.limits, (Interval{0, 50}));
}

TEST(Diff, OneHardwareRunEachTellsNoChangeOfTotals) {
  Diff diff = diff_of({test_recording(10'000, {{"f", 100}}, "hardware")},
                      {test_recording(90'000, {{"f", 900}}, "hardware")});
  EXPECT_FALSE(diff.totals[0].change.limits);
  EXPECT_FALSE(diff.totals[0].change.significant());
  EXPECT_THAT(diff.notes, ElementsAre(HasSubstr("one run of each side")));
}

TEST(Diff, WhatTheSoftwarePmuDidNotCountIsNotExact) {
  Recording cut = test_recording(10'000, {{"f", 100}});
  cut.events[0].counted = false;
  Diff diff = diff_of({cut}, {test_recording(10'000, {{"f", 100}})});
  EXPECT_TRUE(diff.totals[0].estimated);
  EXPECT_FALSE(diff.totals[0].change.limits);
}

TEST(Diff, RunsInTheSameLayoutsArePaired) {
  auto run = [](double total, const std::string& layout) {
    Recording one = test_recording(total, {{"f", 100}});
    one.layout = layout;
    return one;
  };
  std::vector<Recording> before{run(1000, ""), run(3000, "1")}, after{run(1010, ""), run(3010, "1")};
  Diff paired = diff_of(before, after);
  EXPECT_EQ(paired.totals[0].change.limits, (Interval{10, 10}));
  EXPECT_THAT(paired.notes, ElementsAre(HasSubstr("in each memory layout")));
  after[1].layout = "2";
  EXPECT_LT(diff_of(before, after).totals[0].change.limits->low, -1000) << "other layouts";
  EXPECT_LT(diff_of(before, {after[0]}).totals[0].change.limits->low, -1000) << "another number of runs";
  std::vector<Recording> usual{run(1000, ""), run(3000, "")};
  EXPECT_LT(diff_of(usual, usual).totals[0].change.limits->low, -1000) << "repeated runs of one layout";
}

TEST(Diff, CountsAtRandomAddressesAreNotExact) {
  Recording random = test_recording(1000, {{"f", 100}});
  random.layout = kRandomLayout;
  Diff single = diff_of({random}, {random});
  EXPECT_FALSE(single.totals[0].change.exact);
  EXPECT_FALSE(single.totals[0].change.limits);
  EXPECT_THAT(single.notes, ElementsAre(HasSubstr("one run of each side")));
  EXPECT_TRUE(diff_of({random, random}, {random, random}).totals[0].change.limits);
}

TEST(Diff, RepeatedRunsTellByWelch) {
  auto run = [](double total) { return test_recording(total, {{"f", 100}}, "hardware"); };
  Diff diff = diff_of({run(20), run(24), run(22), run(26)}, {run(30), run(31), run(33)});
  EXPECT_NEAR(*diff.totals[0].change.absolute, 8.3333, 1e-4);
  EXPECT_NEAR(diff.totals[0].change.limits->low, 8.3333 - 4.0555, 1e-3);
  EXPECT_TRUE(diff.totals[0].change.significant());
  EXPECT_THAT(diff.notes, ElementsAre(HasSubstr("Welch's")));
  EXPECT_THAT(diff_of({run(20), run(24)}, {run(30)}).notes, ElementsAre(HasSubstr("Student's")));
  EXPECT_FALSE(diff_of({run(20), run(20)}, {run(20), run(20)}).totals[0].change.exact);
  // On hardware, more runs provide more independent samples; runs of the model repeat each other.
  auto limits = [&](const std::string& pmu) {
    Recording one = test_recording(10'000, {{"f", 50}, {"g", 50}}, pmu);
    return row_named(diff_of({one, one}, {one, one}), "f").change.limits->high;
  };
  EXPECT_LT(limits("hardware"), limits("software"));
}

TEST(Diff, NamesWhatIsDifferent) {
  Recording before = test_recording(1, {}), after = before;
  after.machine = "another";
  after.command = {"./program", "2"};
  std::vector<std::string> found;
  for (const Difference& each : diff_of({before}, {after}).differences)
    found.push_back(each.what + ": " + each.before + " / " + each.after);
  EXPECT_THAT(found, ElementsAre("machine: L1 / another", "command: ./program 1 / ./program 2"));
  EXPECT_EQ(diff_of({before, after}, {before}).differences[0].before, "L1 | another");
}

TEST(Diff, NamesLayoutsThatAreNotTheSameOnBothSides) {
  Recording usual = test_recording(1, {}), other = usual;
  other.layout = "7";
  EXPECT_THAT(diff_of({usual, other}, {other, usual}).differences, IsEmpty());
  std::vector<Difference> found = diff_of({usual, other}, {other}).differences;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what + ": " + found[0].before + " / " + found[0].after, "memory layout: 7 | usual / 7");
}

TEST(Diff, ProcessorsComeFirstAndAreNamed) {
  Recording before = test_recording(1, {}), after = before;
  before.processor = "A";
  after.processor = "B";
  before.processor_features = "avx avx2 sse4a";
  after.processor_features = "avx avx2 avx512f avx512vl";
  before.processor_caches = after.processor_caches = "L2 512K";
  after.command = {"other"};
  Diff diff = diff_of({before}, {after});
  EXPECT_EQ(diff.differences[0].what, "processor");
  EXPECT_EQ(diff.differences[1].what, "processor features");
  ASSERT_TRUE(diff.processors);
  EXPECT_THAT(
      *diff.processors,
      HasSubstr("before was measured on A and after on B; features differ: sse4a only before, avx512f "
                "avx512vl only after."));
  after.processor_features = "";  // an older recording
  EXPECT_EQ(diff_of({before}, {after}).differences[1].what, "command");
  EXPECT_THAT(*diff_of({before}, {after}).processors, HasSubstr("on A and after on B. Libraries"));
  after.processor = "A";
  EXPECT_FALSE(diff_of({before}, {after}).processors);
  after.processor_caches = "L2 1024K";
  EXPECT_THAT(*diff_of({before}, {after}).processors,
              HasSubstr("on A and after on A; caches differ: L2 512K before, L2 1024K after."));
}

TEST(Diff, EventsOfOneSideAreNamed) {
  Recording before = test_recording(1, {}), after = before;
  after.events[0].name = "other";
  Diff diff = diff_of({before}, {after});
  EXPECT_THAT(diff.only_before, ElementsAre("miss"));
  EXPECT_THAT(diff.only_after, ElementsAre("other"));
  EXPECT_EQ(diff.totals.size(), 1u);
}

TEST(Diff, RefusesAModelAgainstAProcessorUnlessForced) {
  Recording model = test_recording(10, {}), hardware = test_recording(10, {}, "hardware");
  EXPECT_THAT(error_of({model}, {hardware}), HasSubstr("--force"));
  Options forced;
  forced.force = true;
  EXPECT_FALSE(diff_of({model}, {hardware}, forced).totals[0].change.limits);
}

TEST(Diff, RefusesOtherRowsAndUnknownEvents) {
  Recording by_line = test_recording(10, {});
  by_line.columns = {"line", "dso"};
  EXPECT_THAT(error_of({test_recording(10, {})}, {by_line}), HasSubstr("by line,dso"));
  Options options;
  options.events = {"nothing"};
  EXPECT_THAT(error_of({test_recording(10, {})}, {test_recording(10, {})}, options), HasSubstr("'nothing'"));
}

}  // namespace
}  // namespace hm::diff
