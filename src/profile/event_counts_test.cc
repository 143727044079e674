// SPDX-License-Identifier: MIT
#include "profile/event_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>
#include <random>

namespace hm::profile {
namespace {

using ::testing::HasSubstr;

EventCount count_of(uint64_t samples, uint64_t period) {
  EventCount count;
  for (uint64_t i = 0; i < samples; ++i) count.add(period);
  return count;
}

// 10 of 100: Wilson's interval is 5.52 % to 17.44 % (the usual worked example).
TEST(Share, IsWilsonsInterval) {
  EventTotals totals(1);
  for (int i = 0; i < 100; ++i) totals.add(0, 1000);
  Share share = *totals.share(0, count_of(10, 1000));
  EXPECT_DOUBLE_EQ(share.value, 0.1);
  EXPECT_NEAR(share.low, 0.0552, 1e-4);
  EXPECT_NEAR(share.high, 0.1744, 1e-4);
}

TEST(Share, OfFewSamplesHasNoIntervalToShow) {
  for (uint64_t samples : {9, 10}) {
    EventTotals totals(1);
    for (uint64_t i = 0; i < samples; ++i) totals.add(0, 1);
    EXPECT_EQ(totals.share(0, count_of(3, 1))->few_samples, samples == 9) << samples;
  }
  EXPECT_TRUE(wilson_share(0.5, 9.9).few_samples);
}

TEST(Share, StaysBetweenNoneAndAll) {
  EventTotals totals(1);
  for (int i = 0; i < 4; ++i) totals.add(0, 1);
  EXPECT_EQ(totals.share(0, EventCount())->low, 0.0);
  EXPECT_EQ(totals.share(0, count_of(4, 1))->high, 1.0);
  EXPECT_LT(totals.share(0, count_of(4, 1))->low, 0.6);
}

TEST(Share, UnequalPeriodsSayLess) {
  EventTotals equal(1), unequal(1);
  for (int i = 0; i < 100; ++i) {
    equal.add(0, 10);
    unequal.add(0, i == 0 ? 901 : 1);
  }
  EXPECT_EQ(equal.counts()[0].weight(), unequal.counts()[0].weight());
  Share narrow = *equal.share(0, count_of(50, 10));
  Share wide = *unequal.share(0, count_of(1, 500));
  EXPECT_DOUBLE_EQ(narrow.value, wide.value);
  EXPECT_GT(wide.high - wide.low, 2 * (narrow.high - narrow.low));
}

// In a long run with growing periods, a function that ran late has the samples with the longest periods.
// Kish's effective number, an average over all samples, would make its interval too narrow.
TEST(Share, OfTheLongestPeriodsIsTheLeastSure) {
  EventTotals totals(1);
  EventCount late, rest;
  for (uint64_t doublings = 0; doublings < 8; ++doublings) {
    for (int i = 0; i < 1000; ++i) {
      bool is_late = doublings == 7 && i % 10 == 0;
      (is_late ? late : rest).add(uint64_t{1} << doublings);
      totals.add(0, uint64_t{1} << doublings);
    }
  }
  Share share = *totals.share(0, late);
  // 100 samples of 128 events each among 255,000.
  double error = 1.96 * std::sqrt(100.0) * 128 / 255'000;
  EXPECT_NEAR(share.value, 100 * 128 / 255'000.0, 1e-9);
  EXPECT_NEAR((share.high - share.low) / 2, error, 0.1 * error);
  Share narrow = wilson_share(share.value, totals.effective_samples(0));
  EXPECT_GT(share.high - share.low, 1.15 * (narrow.high - narrow.low));
}

TEST(Share, OfEqualPeriodsIsThatOfTheirNumber) {
  EventTotals totals(1);
  for (int i = 0; i < 100; ++i) totals.add(0, 30);
  Share share = *totals.share(0, count_of(40, 30)), expected = wilson_share(0.4, 100);
  EXPECT_NEAR(share.low, expected.low, 1e-12);
  EXPECT_NEAR(share.high, expected.high, 1e-12);
}

using Functions = std::vector<std::vector<uint32_t>>;  // of the samples, by cluster

constexpr uint64_t kClusterNs = 1'000'000;

// A recording in bursts with samples of functions 0 and 1. `begins_of` is the
// key of the clusters' begins in the description.
Profile in_clusters(const char* begins_of, const Functions& functions_by_cluster) {
  Profile profile;
  profile.events = {{"miss", {}}};
  profile.locations = {{.function = 0}, {.function = 1}};
  nlohmann::json begins = nlohmann::json::array();
  size_t sample = 0;
  for (size_t cluster = 0; cluster < functions_by_cluster.size(); ++cluster) {
    begins.push_back(cluster * kClusterNs);
    for (uint32_t function : functions_by_cluster[cluster]) {
      profile.samples.event.push_back(0);
      profile.samples.location.push_back(function);
      profile.samples.period.set(sample, 10);
      profile.samples.time_ns.set(sample++, cluster * kClusterNs + 5);
    }
  }
  profile.features.hardmeter = nlohmann::json{{"bursts", {{"count", 100}, {begins_of, begins}}}}.dump();
  return profile;
}

Profile in_episodes(const Functions& functions) { return in_clusters("episode_begins_ns", functions); }
Profile of_whole_run(const Functions& functions) { return in_clusters("part_begins_ns", functions); }

TEST(Origin, HasTheTimeMeasuredInEpisodes) {
  Profile profile;
  profile.features.hardmeter = R"({"bursts": {"count": 100, "measured_ns": 1200}})";
  EXPECT_EQ(profile.origin().measured_ns, 1200u);
  profile.features.hardmeter = R"({"bursts": {"count": 100}})";
  EXPECT_EQ(profile.origin().measured_ns, std::nullopt);
}

Share share_of_one(const Profile& profile) {
  EventTotals totals(profile);
  ClusteredCounts part;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (profile.samples.location[i] == 1) totals.add_to(part, profile, i);
  }
  if (part.counts.empty()) part.counts.resize(1);  // as of a function that only calls others
  return *totals.share(0, part);
}

TEST(Share, EpisodesThatDifferSayLessThanTheirSamples) {
  std::vector<uint32_t> half{0, 1, 0, 1}, all(4, 1), none(4, 0);
  Functions alike(20, half), different;
  for (int i = 0; i < 20; ++i) different.push_back(i % 2 == 0 ? all : none);
  Share narrow = share_of_one(in_episodes(alike)), wide = share_of_one(in_episodes(different));
  EXPECT_DOUBLE_EQ(narrow.value, wide.value);
  EXPECT_GT(wide.high - wide.low, 0.4) << "as 20 samples say";
  EXPECT_LT(wide.high - wide.low, 0.6);
}

TEST(Share, OfAllEpisodesIsAsSureAsThereAreEpisodes) {
  Functions episodes(20, std::vector<uint32_t>(500, 1));
  EXPECT_LT(share_of_one(in_episodes(episodes)).low, 0.85);
  EXPECT_GT(share_of_one(in_episodes(episodes)).low, 0.75);
}

// Episodes with a random share of function 1, on average 0.3. The 95 % interval must contain 0.3 in at least
// nine of ten recordings, however few episodes there are.
class Coverage : public ::testing::TestWithParam<int> {};

TEST_P(Coverage, OfTheTruth) {
  constexpr int kRecordings = 400;
  std::mt19937_64 random(GetParam());
  std::uniform_real_distribution<double> any(0, 1);
  int holds = 0;
  for (int i = 0; i < kRecordings; ++i) {
    Functions episodes(GetParam());
    for (std::vector<uint32_t>& each : episodes) {
      double part = 0.6 * any(random);
      for (int k = 0; k < 50; ++k) each.push_back(any(random) < part ? 1 : 0);
    }
    Share share = share_of_one(in_episodes(episodes));
    holds += share.low <= 0.3 && 0.3 <= share.high ? 1 : 0;
  }
  EXPECT_GE(holds, kRecordings * 9 / 10);
}

// A function that misses hundreds of times as often as the rest, but is met by a few of 300 bursts only.
class CoverageOfRareBursts : public ::testing::TestWithParam<double> {};

TEST_P(CoverageOfRareBursts, OfTheTruth) {
  constexpr int kRecordings = 300, kBursts = 300;
  constexpr double kMissesOfRare = 200, kOthers = 5;
  double met = GetParam() / kBursts;
  double truth = met * kMissesOfRare / (met * kMissesOfRare + (1 - met) * kOthers);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(0, 1);
  int holds = 0;
  for (int i = 0; i < kRecordings; ++i) {
    Functions bursts;
    for (int k = 0; k < kBursts; ++k)
      any(random) < met ? bursts.emplace_back(static_cast<size_t>(kMissesOfRare * 2 * any(random)), 1)
                        : bursts.emplace_back(static_cast<size_t>(kOthers), 0);
    Share share = share_of_one(of_whole_run(bursts));
    holds += share.low <= truth && truth <= share.high ? 1 : 0;
  }
  EXPECT_GE(holds, kRecordings * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(BurstsThatMeetIt, CoverageOfRareBursts, ::testing::Values(4, 6, 10, 30));

// The exact beginning of a run has no sampling error, even if it differs from the rest.
TEST(Share, OfAnExactBeginningIsCertain) {
  Functions beginning_and_bursts{std::vector<uint32_t>(2000, 1)};
  for (int i = 0; i < 40; ++i)
    beginning_and_bursts.push_back(i % 2 == 0 ? Functions::value_type{0, 1, 0, 0}
                                              : Functions::value_type{0, 0, 0, 0});
  Profile profile = of_whole_run(beginning_and_bursts);
  nlohmann::json json = nlohmann::json::parse(profile.features.hardmeter.value());
  Share random = share_of_one(profile);
  json["bursts"]["part_begins_ns"].erase(0);
  json["bursts"]["exact_slots"] = 1000;
  profile.features.hardmeter = json.dump();
  Share certain = share_of_one(profile);
  EXPECT_DOUBLE_EQ(certain.value, random.value);
  EXPECT_LT(certain.high - certain.low, 0.03);
  EXPECT_GT(random.high - random.low, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Episodes, Coverage, ::testing::Values(3, 5, 10, 30, 100));

TEST(Clusters, DivideNoBurst) {
  Profile profile = of_whole_run({{0}, {1, 1, 1}, {0, 0}});
  Clusters clusters(profile);
  ASSERT_EQ(clusters.count(), 3u);
  std::vector<uint32_t> of_samples;
  for (size_t i = 0; i < 6; ++i) of_samples.push_back(clusters.of(i));
  EXPECT_EQ(of_samples, (std::vector<uint32_t>{0, 1, 1, 1, 2, 2}));
}

TEST(Clusters, OfOlderRecordingsAreEquallyLarge) {
  Profile profile;
  profile.events = {{"miss", {}}};
  for (uint32_t i = 0; i < 1000; ++i) {
    profile.samples.event.push_back(0);
    profile.samples.time_ns.set(i, 7 * i);
  }
  EXPECT_EQ(Clusters(profile).count(), 0u);
  profile.features.hardmeter = R"({"bursts": {"count": 20}})";
  Clusters clusters(profile);
  EXPECT_EQ(clusters.count(), 10u);
  EXPECT_EQ(clusters.of(0), 0u);
  EXPECT_EQ(clusters.of(99), 0u);
  EXPECT_EQ(clusters.of(100), 1u);
  EXPECT_EQ(clusters.of(999), 9u);
}

std::string few_bursts_text_of(const char* description) {
  Profile profile;
  profile.features.hardmeter = description;
  return few_bursts_text(profile.origin());
}

TEST(FewBursts, AreStatedWithTheirNumber) {
  EXPECT_EQ(few_bursts_text_of(R"({"bursts": {"count": 30}, "elapsed_ns": 1})"), "");
  EXPECT_THAT(few_bursts_text_of(R"({"bursts": {"count": 3}, "elapsed_ns": 1})"), HasSubstr("3 of 30"));
  EXPECT_THAT(few_bursts_text_of(R"({"bursts": {"count": 0}, "so_far": {}})"), HasSubstr("0 of 30"));
}

// A recorder that was killed before it had counted anything.
TEST(FewBursts, AreUnknownIfOnlyTheBeginOfTheRunIsDescribed) {
  EXPECT_THAT(few_bursts_text_of(R"({"bursts": {"count": 0}})"), HasSubstr("its recorder did not finish"));
}

TEST(Share, OfNothingIsNotMeasured) { EXPECT_EQ(EventTotals(1).share(0, EventCount()), std::nullopt); }

TEST(EventCount, OneUnknownPeriodMakesTheSumUnknown) {
  EventCount count = count_of(2, 5);
  EXPECT_EQ(count.estimated, 10u);
  count.add(std::nullopt);
  EXPECT_EQ(count.estimated, std::nullopt);
  EXPECT_EQ(count.weight(), 3u);
}

}  // namespace
}  // namespace hm::profile
