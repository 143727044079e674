// SPDX-License-Identifier: MIT
#include "analysis/timeline/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace hm::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kStart = 5'000'000, kInterval = 1000;

// A recording of functions a, b, c, ...; each has one place.
class Made {
 public:
  Made() {
    profile.events.push_back({});
    profile.events[0].name = "clock";
    profile.dsos.resize(1);
    for (char letter = 'a'; letter <= 'z'; ++letter) {
      profile.functions.push_back({.dso = 0, .name = std::string(1, letter), .start = 0, .size = 0});
      profile.locations.push_back(
          {.dso = 0, .offset = 0, .function = static_cast<uint32_t>(letter - 'a'), .address = 0});
    }
    profile.threads.push_back({.pid = 7, .tid = 7, .comm = "one"});
    profile.threads.push_back({.pid = 7, .tid = 8, .comm = "two"});
  }

  // `branches`: the functions that were left, oldest first.
  void sample(uint64_t time_ns, char function, std::string_view branches = "", uint32_t thread = 0) {
    profile::Samples& samples = profile.samples;
    size_t row = samples.size();
    samples.time_ns.set(row, kStart + time_ns);
    samples.event.push_back(0);
    samples.thread.push_back(thread);
    samples.location.push_back(static_cast<uint32_t>(function - 'a'));
    samples.chain.push_back({});
    samples.branch.push_back(
        {static_cast<uint32_t>(samples.branches.size()), static_cast<uint32_t>(branches.size())});
    for (size_t i = branches.size(); i-- > 0;) {
      auto from = static_cast<uint32_t>(branches[i] - 'a');
      samples.branches.push_back({from, from, {.from = ++number_, .to = 1}});  // each another
    }
  }

  // The name and the time of each function, most first.
  [[nodiscard]] std::vector<std::pair<std::string, int>> totals(Way way) const {
    std::vector<std::pair<std::string, int>> all;
    Result<Timeline> line = find_timeline(profile, {.filter = {}, .way = way});
    EXPECT_TRUE(line.ok());
    for (const Function& each : line->functions) all.emplace_back(each.name, static_cast<int>(each.ns + 0.5));
    return all;
  }

  profile::Profile profile;

 private:
  uint64_t number_ = 0;
};

TEST(Timeline, WithoutBranchesIsTheSamplesAlone) {
  Made made;
  made.sample(0, 'a');
  for (uint64_t i = 1; i <= 6; ++i) made.sample(i * kInterval, i == 3 ? 'b' : 'a');
  EXPECT_THAT(made.totals(Way::kRatio), ElementsAre(std::pair("a", 5000), std::pair("b", 1000)));
  Result<Timeline> line = find_timeline(made.profile, {.filter = {}, .columns = 6});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->bin_ns, kInterval);
  EXPECT_EQ(line->interval_ns, kInterval);
  EXPECT_EQ(line->branches, 0u);
  ASSERT_EQ(line->lanes.size(), 1u);
  EXPECT_EQ(line->lanes[0].name, "7 one");
  EXPECT_THAT(line->lanes[0].bins[1].ns, ElementsAre(1000, 0, 0));
  EXPECT_THAT(line->lanes[0].bins[2].ns, ElementsAre(0, 1000, 0));
}

// Between two samples of a, b ran and then c.
TEST(Timeline, ShowsWhatRanBetweenSamples) {
  Made made;
  made.sample(0, 'a');
  made.sample(kInterval, 'a', "bc");
  EXPECT_THAT(made.totals(Way::kNone), ElementsAre(std::pair("a", 1000)));
  EXPECT_THAT(made.totals(Way::kEven),
              UnorderedElementsAre(std::pair("a", 333), std::pair("b", 333), std::pair("c", 333)));
  Result<Timeline> line =
      find_timeline(made.profile, {.filter = {}, .way = Way::kEven, .columns = 3, .samples = 2});
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

TEST(Timeline, IsIdleWhereAThreadWasNotSampledForLong) {
  Made made;
  for (uint64_t time : {0, 1000, 2000, 3000, 50000, 51000, 52000}) made.sample(time, 'a');
  Result<Timeline> line = find_timeline(made.profile, {.filter = {}, .columns = 52});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->idle_ns, 46000);
  EXPECT_TRUE(line->lanes[0].bins[20].ns.empty());
  EXPECT_FALSE(line->lanes[0].bins[49].ns.empty());
}

TEST(Timeline, WindowsAndLanes) {
  Made made;
  for (uint64_t i = 0; i <= 100; ++i) made.sample(i * kInterval, i == 50 ? 'e' : 'a', "", i % 2);
  Options options{.filter = {}, .from_ns = 49000, .to_ns = 52000};
  Result<Timeline> line = find_timeline(made.profile, options);
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->samples, 4u);
  EXPECT_EQ(line->lanes.size(), 2u);
  EXPECT_EQ(line->functions[1].name, "e");
  options.by = By::kProcess;
  options.functions = 1;
  line = find_timeline(made.profile, options);
  ASSERT_TRUE(line.ok());
  ASSERT_EQ(line->lanes.size(), 1u);
  EXPECT_EQ(line->lanes[0].name, "7 one");
  EXPECT_GT(line->other_ns, 0) << "e";
  Options of_unknown_event;
  of_unknown_event.filter.events = {"none"};
  for (auto [wrong, says] :
       {std::pair{Options{.filter = {}, .from_ns = 9, .to_ns = 9}, "ends before it begins"},
        {Options{.filter = {}, .from_ns = 1u << 30}, "begins after the last sample"},
        {Options{.filter = {}, .bin_ns = 1}, ""},
        {Options{.filter = {}, .by = By::kCpu}, "on which CPU"},
        {of_unknown_event, "none"}}) {
    Result<Timeline> refused = find_timeline(made.profile, wrong);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr(says));
  }
  EXPECT_FALSE(find_timeline(profile::Profile(), {}).ok());
}

}  // namespace
}  // namespace hm::timeline
