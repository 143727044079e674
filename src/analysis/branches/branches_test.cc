// SPDX-License-Identifier: MIT
#include "analysis/branches/branches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/test_recording.h"
#include "record/example_real.h"
#include "symbol/file_resolver.h"

namespace hm::branches {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kText = 0x400000;
constexpr uint64_t kNear = kText + 0x10;
constexpr uint64_t kFar = kText + 0x800;

profile::TestRecording recording(uint64_t branch_sample_type = PERF_SAMPLE_BRANCH_ANY) {
  auto event = profile::test_event("cycles", 1, PERF_SAMPLE_BRANCH_STACK);
  event.attr.branch_sample_type = branch_sample_type;
  profile::TestRecording made({event, profile::test_event("other", 2)});
  made.map(1, 7, kText, 0x1000, "program");
  return made;
}

void add_sample(profile::TestRecording& to, const std::vector<record::BranchEntry>& entries) {
  ByteWriter words;
  for (const record::BranchEntry& entry : entries) record::encode_branch(entry, words);
  record::Sample sample;
  sample.branches = record::BranchStack(record::U64View(words.bytes(), false));
  to.sample(10, 7, kNear, sample);
}

Branches by_address(const profile::Profile& profile) {
  auto result = find_branches(profile, {.group = GroupBy::kAddress, .filter = {}, .limit = 0});
  EXPECT_TRUE(result.ok());
  return result.ok() ? *result : Branches{};
}

TEST(Branches, AreAddedUpByWhereTheyComeFromAndGoTo) {
  auto made = recording();
  record::BranchEntry loop{.from = kFar, .to = kNear, .predicted = true, .cycles = 10};
  record::BranchEntry missed{.from = kFar, .to = kNear, .mispredicted = true, .cycles = 30};
  record::BranchEntry untimed{.from = kFar, .to = kNear, .predicted = true};
  record::BranchEntry back{.from = kNear, .to = kFar};
  add_sample(made, {loop, missed, untimed, back});
  add_sample(made, {loop, record::BranchEntry{}});
  Branches result = by_address(made.load());
  EXPECT_EQ(result.samples, 2u);
  EXPECT_EQ(result.entries, 5u);
  EXPECT_EQ(result.empty_entries, 1u);
  ASSERT_EQ(result.rows.size(), 2u);
  const Row& row = result.rows[0];
  EXPECT_EQ(row.from.address, 0x800u);
  EXPECT_EQ(row.to.address, 0x10u);
  EXPECT_EQ(row.from.dso, "program");
  EXPECT_EQ(row.entries, 4u);
  EXPECT_DOUBLE_EQ(row.share, 0.8);
  EXPECT_EQ(row.misprediction_rate, 0.25);
  EXPECT_DOUBLE_EQ(row.mean_cycles.value_or(0), 50.0 / 3);
}

TEST(Branches, HaveTheWeightOfTheirSamplesPeriods) {
  auto made = recording();
  add_sample(made, {{.from = kFar, .to = kNear, .predicted = true, .cycles = 10}});
  add_sample(made, {{.from = kFar, .to = kNear, .mispredicted = true, .cycles = 50}});
  add_sample(made, {{.from = kNear, .to = kFar}});
  profile::Profile profile = made.load();
  for (size_t i = 0; i < 3; ++i) profile.samples.period.set(i, i == 1 ? 600 : 200);
  Branches result = by_address(profile);
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_DOUBLE_EQ(result.rows[0].share, 0.8);
  EXPECT_DOUBLE_EQ(result.rows[0].misprediction_rate.value_or(0), 0.75);
  EXPECT_DOUBLE_EQ(result.rows[0].mean_cycles.value_or(0), 40);
  EXPECT_EQ(result.rows[0].entries, 2u);
}

TEST(Branches, WhatTheHardwareDoesNotSayIsNotZero) {
  auto made = recording();
  add_sample(made, {{.from = kNear, .to = kFar}});
  Branches result = by_address(made.load());
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0].misprediction_rate, std::nullopt);
  EXPECT_EQ(result.rows[0].mean_cycles, std::nullopt);
}

TEST(Branches, OfFunctionsHaveNoAddress) {
  auto made = recording();
  add_sample(made, {{.from = kNear, .to = kFar}, {.from = kNear, .to = kFar}, {.from = kFar, .to = kNear}});
  auto result = find_branches(made.load(), {.group = GroupBy::kFunction, .filter = {}, .limit = 1});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->all_rows, 2u);
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].entries, 2u);
  EXPECT_EQ(result->rows[0].from.address, std::nullopt);
}

TEST(Branches, WithoutStacksThereIsNothingToShow) {
  auto made = recording();
  made.sample(10, 7, kNear, {}, 1);
  auto result = find_branches(made.load(), {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(result.error().message, HasSubstr("record with -b"));
}

TEST(Branches, CallsThatHadNotReturnedAreNone) {
  auto made = recording(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK);
  add_sample(made, {{.from = kNear, .to = kFar}});
  auto result = find_branches(made.load(), {});
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("report -g"));
}

TEST(Branches, OfRealRecordingsAreAsManyAsAnIndependentDecoderFound) {
  nlohmann::json list = record::example::expected_of_real_recordings();
  if (list.empty()) GTEST_SKIP() << record::example::why_no_real_recordings();
  for (const nlohmann::json& expected : list) {
    std::string name = expected["name"];
    SCOPED_TRACE(name);
    auto reader = record::Reader::open((record::example::real_recordings() / name).string());
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    auto profile = profile::load(*reader, symbol::FileResolver());
    ASSERT_TRUE(profile.ok()) << profile.error().message;
    auto result = find_branches(*profile, {});
    bool calls = record::is_call_stack(profile->events[0].attr.branch_sample_type);
    uint64_t branches = calls ? 0 : expected["totals"].value("br_nz", uint64_t{0});
    EXPECT_EQ(result.ok() ? result->entries : 0, branches);
    if (!result.ok()) continue;
    uint64_t mispredicted = 0;
    for (const Row& row : result->rows) mispredicted += row.mispredicted;
    EXPECT_EQ(mispredicted, expected["totals"].value("br_mispred", uint64_t{0}));
  }
}

TEST(Branches, AreSortedByFunctionOrAddress) {
  EXPECT_EQ(*parse_group("function"), GroupBy::kFunction);
  EXPECT_EQ(*parse_group("symbol_from,symbol_to"), GroupBy::kFunction);
  EXPECT_EQ(*parse_group("ip"), GroupBy::kAddress);
  EXPECT_FALSE(parse_group("comm").ok());
}

}  // namespace
}  // namespace hm::branches
