// SPDX-License-Identifier: MIT
#include "analysis/totals/totals.h"

#include <gtest/gtest.h>

namespace hm::totals {
namespace {

profile::Event sampled_event(std::string name) {
  profile::Event event{std::move(name), {}};
  event.attr.sample_period = 100;
  return event;
}

// Two threads; misses are sampled, instructions counted exactly.
profile::Profile example() {
  profile::Profile profile;
  profile.events = {sampled_event("l1_cache_miss"), {"instr_retired", {}}};
  profile.threads = {{7, 7, "old name"}, {7, 8, "worker"}, {7, 7, "program"}};
  profile.locations = {{}};
  for (uint32_t i = 0; i < 4; ++i) {
    profile.samples.period.set(i, 100);
    profile.samples.time_ns.set(i, 1000 + uint64_t{i} * 1000);
    profile.samples.thread.push_back(i == 0 ? 0 : i == 1 ? 1 : 2);
    profile.samples.location.push_back(0);
    profile.samples.event.push_back(0);
  }
  profile.totals = {{1, 7, 7, 30000, 0, 0}, {1, 7, 8, 10000, 0, 0}};
  return profile;
}

TEST(Totals, ExactWhereCountedElseEstimated) {
  Totals totals = find_totals(example());
  EXPECT_EQ(totals.events[0].count.estimated, 400u);
  EXPECT_FALSE(totals.events[0].count.exact.has_value());
  EXPECT_EQ(totals.events[1].count.exact->value, 40000u);
  EXPECT_EQ(totals.events[1].count.estimated, std::nullopt);  // never sampled
  EXPECT_DOUBLE_EQ(*totals.events[1].count.best(), 40000);
}

TEST(Totals, EstimatesFromBurstsKnowTheirErrors) {
  profile::Profile profile = example();
  profile.totals = {{1, 7, 7, 300, 1000, 10}, {1, 7, 8, 100, 1000, 10}};
  profile.features.hardmeter =
      R"({"bursts": {"relative_error": {"instr_retired": 0.02, "l1_cache_miss": null}}})";
  Totals totals = find_totals(profile);
  EXPECT_DOUBLE_EQ(*totals.events[1].count.best(), 40000);
  EXPECT_EQ(totals.events[1].count.exact->relative_error, 0.02);
}

TEST(Totals, WhatNoBurstHadIsNotKnown) {
  profile::Profile profile = example();
  profile.totals = {{1, 7, 7, 0, 1000, 10}};
  profile.features.hardmeter = R"({"bursts": {"relative_error": {"instr_retired": null}}})";
  Totals totals = find_totals(profile);
  EXPECT_TRUE(totals.events[1].count.exact->unseen());
  EXPECT_EQ(totals.events[1].count.best(), std::nullopt);
}

TEST(Totals, Rates) {
  Totals totals = find_totals(example());
  EXPECT_DOUBLE_EQ(*totals.events[0].per_thousand_instructions, 10);
  EXPECT_EQ(totals.events[1].per_thousand_instructions, std::nullopt);
  EXPECT_EQ(totals.elapsed_ns, 3000u);
  EXPECT_NEAR(*totals.events[0].per_second, 400 / 3e-6, 1);
}

TEST(Totals, WithoutInstructionsOrTimeThereAreNoRates) {
  profile::Profile profile = example();
  profile.totals.clear();
  profile.samples.time_ns = {};
  Totals totals = find_totals(profile);
  EXPECT_EQ(totals.events[0].per_thousand_instructions, std::nullopt);
  EXPECT_EQ(totals.events[0].per_second, std::nullopt);
  EXPECT_EQ(totals.events[1].count.best(), std::nullopt);
  EXPECT_EQ(totals.elapsed_ns, std::nullopt);
}

TEST(Totals, InstructionsOfTheRunGiveRatesWithoutSamplesOfThem) {
  profile::Profile profile = example();
  profile.totals.clear();
  profile.events[1].name = "dtlb_load_miss";
  EXPECT_EQ(find_totals(profile).events[0].per_thousand_instructions, std::nullopt);
  profile.features.hardmeter = R"({"totals": {"instr_retired": 80000}})";
  EXPECT_DOUBLE_EQ(*find_totals(profile).events[0].per_thousand_instructions, 5);
}

TEST(Totals, ByThreadUnderItsLastName) {
  Totals totals = find_totals(example());
  ASSERT_EQ(totals.threads.size(), 2u);
  EXPECT_EQ(totals.threads[0].comm, "program");
  EXPECT_EQ(totals.threads[0].counts[0].samples, 3u);
  EXPECT_EQ(totals.threads[0].counts[1].exact->value, 30000u);
  EXPECT_EQ(totals.threads[1].comm, "worker");
}

TEST(Totals, ACounterThatRanPartOfTheTimeIsScaled) {
  EXPECT_DOUBLE_EQ(*(Exact{50, 200, 100}.scaled()), 100);
  EXPECT_EQ((Exact{0, 200, 0}.scaled()), std::nullopt);
}

}  // namespace
}  // namespace hm::totals
