// SPDX-License-Identifier: MIT
#include "analysis/timeline/history.h"
#include "analysis/timeline/series.h"
#include "analysis/timeline/test_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string_view>

namespace hm::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kInterval = 1000;

Result<Timeline> find_timeline(const profile::Profile& profile, const Window& window, Way way = Way::kDwell,
                               const profile::FilterOptions& filter = {}) {
  Result<History> history =
      History::make(profile, {.filter = filter, .way = way, .counts = {}, .rates = false});
  if (!history) return history.error();
  return history->show(window);
}

// Returns the name and the time of each function, most time first.
std::vector<std::pair<std::string, int>> totals(const Made& made, Way way) {
  std::vector<std::pair<std::string, int>> all;
  Result<Timeline> line = find_timeline(made.profile, {}, way);
  EXPECT_TRUE(line.ok());
  for (const Function& each : line->functions) all.emplace_back(each.name, static_cast<int>(each.ns + 0.5));
  return all;
}

TEST(Timeline, WithoutBranchesIsTheSamplesAlone) {
  Made made;
  made.sample(0, 'a');
  for (uint64_t i = 1; i <= 6; ++i) made.sample(i * kInterval, i == 3 ? 'b' : 'a');
  EXPECT_THAT(totals(made, Way::kRatio), ElementsAre(std::pair("a", 5000), std::pair("b", 1000)));
  Result<Timeline> line = find_timeline(made.profile, {.columns = 6});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->bin_ns, kInterval);
  EXPECT_EQ(line->interval_ns, kInterval);
  EXPECT_EQ(line->points.branches, 0u);
  ASSERT_EQ(line->lanes.size(), 1u);
  EXPECT_EQ(line->lanes[0].name, "7 one");
  EXPECT_THAT(line->lanes[0].bins[1].ns, ElementsAre(1000, 0, 0));
  EXPECT_THAT(line->lanes[0].bins[2].ns, ElementsAre(0, 1000, 0));
}

TEST(Timeline, HasNoMoreCellsThanItMay) {
  Made made;
  for (uint64_t i = 0; i < 60; ++i) made.sample(i * kInterval, i % 2 == 0 ? 'a' : 'b', "", i % 3 == 0);
  // Two lanes, two functions and the column for all others.
  EXPECT_TRUE(find_timeline(made.profile, {.columns = 10, .max_cells = 60}).ok());
  Result<Timeline> larger = find_timeline(made.profile, {.columns = 10, .max_cells = 59});
  ASSERT_FALSE(larger.ok());
  EXPECT_EQ(larger.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(larger.error().message, HasSubstr("too large"));
}

// b and then c ran between two samples of a.
TEST(Timeline, ShowsWhatRanBetweenSamples) {
  Made made;
  made.sample(0, 'a');
  made.sample(kInterval, 'a', "bc");
  EXPECT_THAT(totals(made, Way::kNone), ElementsAre(std::pair("a", 1000)));
  EXPECT_THAT(totals(made, Way::kEven),
              UnorderedElementsAre(std::pair("a", 333), std::pair("b", 333), std::pair("c", 333)));
  Result<Timeline> line = find_timeline(made.profile, {.columns = 3, .samples = 2}, Way::kEven);
  ASSERT_TRUE(line.ok());
  ASSERT_EQ(line->moments.size(), 2u);
  EXPECT_EQ(line->moments[1].function, "a");
  ASSERT_EQ(line->moments[1].branches.size(), 2u);
  EXPECT_EQ(line->moments[1].branches[0].function, "b") << "the oldest first";
  const auto longest = [&](size_t bin) {
    const std::vector<float>& ns = line->lanes[0].bins[bin].ns;
    return line->functions[static_cast<size_t>(std::ranges::max_element(ns) - ns.begin())].name;
  };
  EXPECT_EQ(longest(0) + longest(1) + longest(2), "bca");
}

// Samples of the clock, each with its own period.
Made made_by_clock(uint64_t period) {
  Made made;
  made.profile.events[0].attr.type = PERF_TYPE_SOFTWARE;
  made.profile.events[0].attr.config = PERF_COUNT_SW_CPU_CLOCK;
  made.profile.events[0].attr.sample_period = period;
  return made;
}

// Only kernel code is sampled, a tenth of the time; user code runs in between.
TEST(Timeline, ASampleOfTheClockStandsForItsPeriodThoughTheNextIsFar) {
  Made made = made_by_clock(1000);
  for (uint64_t i = 0; i < 50; ++i) {
    made.profile.samples.period.set(i, 1000);
    made.sample(i * 10'000, 'a');
  }
  EXPECT_THAT(totals(made, Way::kRatio), ElementsAre(std::pair("a", 49'000)));
  EXPECT_EQ(find_timeline(made.profile, {})->interval_ns, 1000u);
}

TEST(Timeline, TellsWhetherTheEventCountsTime) {
  profile::Event event{"cpu-clock", {}};
  event.attr.type = PERF_TYPE_SOFTWARE;
  event.attr.config = PERF_COUNT_SW_CPU_CLOCK;
  EXPECT_TRUE(counts_time(event));
  event.attr.config = PERF_COUNT_SW_PAGE_FAULTS;
  EXPECT_FALSE(counts_time({"page-faults", event.attr}));
  event.attr.type = PERF_TYPE_HARDWARE;
  event.attr.config = PERF_COUNT_HW_CPU_CYCLES;
  EXPECT_TRUE(counts_time({"cpu-cycles", event.attr}));
  event.attr.config = PERF_COUNT_HW_CACHE_MISSES;
  EXPECT_FALSE(counts_time({"cache-misses", event.attr}));
  event.attr.type = PERF_TYPE_RAW;
  EXPECT_TRUE(counts_time({"clock", event.attr}));
  EXPECT_FALSE(counts_time({"l1_cache_miss", event.attr}));
}

// Two CPUs are idle simultaneously; each has its own task with thread ID 0.
TEST(Timeline, EachCpuHasAnIdleTaskOfItsOwn) {
  Made made = made_by_clock(1000);
  made.profile.threads[0] = {.pid = 0, .tid = 0, .comm = "swapper"};
  for (uint64_t i = 0; i < 40; ++i) {
    made.profile.samples.period.set(i, 1000);
    made.profile.samples.cpu.set(i, i % 2);
    made.sample(i / 2 * 1000 + i % 2 * 300, 'a');
  }
  Result<Timeline> line = find_timeline(made.profile, {});
  ASSERT_TRUE(line.ok());
  double all = line->other_ns;
  for (const Function& each : line->functions) all += each.ns;
  EXPECT_NEAR(all, 39'000, 1000) << "20 samples on each of two CPUs";
}

TEST(Timeline, IsIdleWhereAThreadWasNotSampledForLong) {
  Made made;
  for (uint64_t time : {0, 1000, 2000, 3000, 50000, 51000, 52000}) made.sample(time, 'a');
  Result<Timeline> line = find_timeline(made.profile, {.columns = 52});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->lanes[0].idle_ns, 46000);
  EXPECT_TRUE(line->lanes[0].bins[20].ns.empty());
  EXPECT_FALSE(line->lanes[0].bins[49].ns.empty());
}

TEST(Timeline, OfTheClockHasNoTimeInWhichTheThreadDidNotRun) {
  Made made;
  made.profile.events[0].attr.type = PERF_TYPE_SOFTWARE;
  made.profile.events[0].attr.config = PERF_COUNT_SW_CPU_CLOCK;
  made.profile.dsos[0].path = "/bin/one";
  for (uint64_t time : {0, 1000, 2000, 3000}) made.sample(time, 'a');
  made.sample(5000, 'b');  // ran for 1 of 2 us
  made.sample(9000, 'b');  // ran for 0 of 4 us: its instruction has not changed
  made.sample(10000, 'b');
  Result<Timeline> line = find_timeline(made.profile, {.columns = 10});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->functions[0].name, "a");
  EXPECT_EQ(line->functions[0].ns, 3000);
  EXPECT_EQ(line->functions[1].ns, 2000);
  EXPECT_EQ(line->lanes[0].idle_ns, 5000);
}

// All branches are new: the stacks are too short to hold all branches between samples.
TEST(Timeline, MixesWhatTheSamplesBeforeAndAfterTell) {
  Made made;
  made.sample(0, 'a', "b");
  made.sample(1000, 'c', "d");
  Result<Timeline> line = find_timeline(made.profile, {.columns = 2, .functions = 0}, Way::kMix);
  ASSERT_TRUE(line.ok());
  for (const Bin& bin : line->lanes[0].bins) {
    double before = 0, after = 0;
    for (size_t i = 0; i < line->functions.size(); ++i)
      (line->functions[i].name < "c" ? before : after) += bin.ns[i];
    EXPECT_EQ(before, 250);
    EXPECT_EQ(after, 250);
  }
}

TEST(Timeline, MixesNothingWhereStacksReachBackToTheSampleBefore) {
  Made made;
  made.sample(0, 'a', "bbbb");
  made.profile.samples.new_branches.back().count = 1;
  made.sample(1000, 'c', "ddda");
  made.profile.samples.new_branches.back().count = 1;
  Result<Timeline> line = find_timeline(made.profile, {.columns = 2, .functions = 0}, Way::kMix);
  ASSERT_TRUE(line.ok());
  double sum = 0;
  for (const Function& each : line->functions) {
    EXPECT_TRUE(each.name == "a" || each.name == "c") << each.name;
    sum += each.ns;
  }
  EXPECT_EQ(sum, 1000);
}

TEST(Timeline, WindowsAndLanes) {
  Made made;
  for (uint64_t i = 0; i <= 100; ++i) made.sample(i * kInterval, i == 50 ? 'e' : 'a', "", i % 2);
  Window options{.from_ns = 49000, .to_ns = 52000};
  Result<Timeline> line = find_timeline(made.profile, options);
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->points.points, 4u);
  EXPECT_EQ(line->lanes.size(), 2u);
  EXPECT_EQ(line->functions[1].name, "e");
  options.by = By::kProcess;
  options.functions = 1;
  line = find_timeline(made.profile, options);
  ASSERT_TRUE(line.ok());
  ASSERT_EQ(line->lanes.size(), 1u);
  EXPECT_EQ(line->lanes[0].name, "7 one");
  EXPECT_GT(line->other_ns, 0) << "e";
  for (auto [wrong, says] : {std::pair{Window{.from_ns = 9, .to_ns = 9}, "ends before it begins"},
                             {Window{.from_ns = 1u << 30}, "begins after the last sample"},
                             {Window{.by = By::kCpu}, "the CPUs of its samples"}}) {
    Result<Timeline> refused = find_timeline(made.profile, wrong);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr(says));
  }
  EXPECT_FALSE(find_timeline(made.profile, {}, Way::kNone, {.events = {"none"}}).ok());
  EXPECT_FALSE(find_timeline(profile::Profile(), {}).ok());
}

TEST(Timeline, ShowsTheFunctionsOfTheFilterWhenTheyRan) {
  Made made;
  for (uint64_t i = 0; i <= 10; ++i) made.sample(i * kInterval, i == 5 ? 'b' : 'a');
  Result<Timeline> line = find_timeline(made.profile, {.columns = 10}, Way::kNone, {.function = "b"});
  ASSERT_TRUE(line.ok());
  ASSERT_EQ(line->functions.size(), 1u);
  EXPECT_EQ(line->functions[0].ns, kInterval) << "not all the time since the last sample in b";
  EXPECT_EQ(line->other_ns, 0);
}

TEST(Timeline, CountsOtherEvents) {
  Made made;
  made.profile.events.push_back({});
  made.profile.events[1].name = "miss";
  for (uint64_t i = 0; i <= 10; ++i) made.sample(i * kInterval, 'a');
  for (uint64_t i = 0; i < 3; ++i) {
    made.sample(10 * kInterval, 'a');
    made.profile.samples.event.back() = 1;
    made.profile.samples.period.set(made.profile.samples.size() - 1, 100 + i);
  }
  Result<History> history = History::make(
      made.profile,
      {.filter = {.events = {"clock"}}, .way = Way::kDwell, .counts = {"miss"}, .rates = false});
  ASSERT_TRUE(history.ok());
  Result<Timeline> line = history->show({.columns = 2});
  ASSERT_TRUE(line.ok());
  ASSERT_EQ(line->counts.size(), 1u);
  EXPECT_EQ(line->counts[0].all, 303);
  EXPECT_THAT(line->lanes[0].counts, ElementsAre(ElementsAre(0, 303)));
}

TEST(Timeline, TellsTheIdleTaskFromPrograms) {
  Made made;
  made.profile.threads[1] = {.pid = 0, .tid = 0, .comm = "swapper"};
  for (uint64_t i = 0; i <= 4; ++i) {
    made.sample(i * kInterval, 'a', "", i % 2);
    made.profile.samples.cpu.set(i, 3);
  }
  Result<Timeline> line = find_timeline(made.profile, {.by = By::kCpu});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->lanes[0].name, "CPU 3");
  EXPECT_TRUE(std::ranges::any_of(line->functions,
                                  [](const Function& each) { return each.kind == Function::Kind::kIdle; }));
}

// Any window equals the sum of its points, computed individually.
TEST(Timeline, OfAnyWindowIsTheSumOfItsPoints) {
  std::mt19937 random(3);
  Made made;
  uint64_t time = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string branches;
    for (size_t k = random() % 6; k > 0; --k) branches += static_cast<char>('a' + random() % 8);
    made.sample(time, static_cast<char>('a' + random() % 8), branches, random() % 2);
    time += random() % 100 == 0 ? 50'000 : 500 + random() % 500;
  }
  for (int i = 0; i < 100; ++i) {
    Way way = i % 2 == 0 ? Way::kDwell : Way::kMix;
    Result<History> history =
        History::make(made.profile, {.filter = {}, .way = way, .counts = {}, .rates = false});
    ASSERT_TRUE(history.ok());
    const Series& series = history->source().index.series();
    Window window{.from_ns = random() % time, .columns = 1 + random() % 50, .functions = 0};
    window.to_ns = window.from_ns + 1 + random() % (time - window.from_ns);
    Result<Timeline> line = history->show(window);
    ASSERT_TRUE(line.ok());
    double expected = 0, found = line->other_ns;
    Divider divider(series, way);
    for (size_t point = 0; point < series.points.size(); ++point) {
      divider.divide(point, [&](uint32_t, double begin, double end, double part) {
        expected += part * std::max(0.0, std::min(end, static_cast<double>(line->end_ns)) -
                                             std::max(begin, static_cast<double>(line->begin_ns)));
      });
    }
    for (const Function& each : line->functions) found += each.ns;
    EXPECT_NEAR(found, expected, 1 + expected * 1e-5);
    double in_bins = 0;
    for (const Lane& lane : line->lanes) {
      for (const Bin& bin : lane.bins) in_bins = std::accumulate(bin.ns.begin(), bin.ns.end(), in_bins);
    }
    EXPECT_NEAR(in_bins, expected, 1 + expected * 1e-5);
    uint64_t taken = static_cast<uint64_t>(std::ranges::count_if(series.points, [&](const Point& point) {
      auto at = static_cast<uint64_t>(point.end_ns);
      return at >= line->begin_ns && at <= line->end_ns;
    }));
    EXPECT_EQ(line->points.points, taken);
  }
}

}  // namespace
}  // namespace hm::timeline
