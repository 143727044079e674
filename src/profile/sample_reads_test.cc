// SPDX-License-Identifier: MIT
#include "profile/sample_reads.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace hm::profile {
namespace {

constexpr uint64_t kGroup = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;

// `words` holds the value and id of each counter.
record::Sample sample_with(uint32_t tid, const std::vector<uint64_t>& words) {
  record::Sample sample;
  sample.type = PERF_SAMPLE_READ | PERF_SAMPLE_TID;
  sample.pid = 7;
  sample.tid = tid;
  sample.read = record::ReadValues(kGroup, record::U64View(words));
  sample.read.time_enabled_ns = 50;
  return sample;
}

std::vector<record::EventDescription> events() {
  std::vector<record::EventDescription> events(3);
  events[0].ids = {1};
  events[1].ids = {2, 3};
  events[2].ids = {4};
  return events;
}

perf_event_attr group_attr(bool inherit = false) {
  perf_event_attr attr{};
  attr.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID;
  attr.read_format = kGroup;
  attr.inherit = inherit;
  return attr;
}

TEST(SampleReads, TheLastValueOfACounterIsItsTotal) {
  std::vector<uint64_t> first{10, 1, 20, 2}, second{30, 1, 40, 2}, third{5, 3};
  SampleReads reads;
  (void)reads.add(group_attr(), sample_with(7, first));
  (void)reads.add(group_attr(), sample_with(7, second));
  (void)reads.add(group_attr(), sample_with(8, third));
  std::vector<ThreadTotal> totals;
  reads.add_totals(events(), totals);
  ASSERT_EQ(totals.size(), 3u);
  EXPECT_EQ(totals[0].value, 30u);
  EXPECT_EQ(totals[0].tid, 7u);
  EXPECT_EQ(totals[0].time_enabled_ns, 50u);
  EXPECT_EQ(totals[1].value, 40u);
  EXPECT_EQ(totals[2].value, 5u);
  EXPECT_EQ(totals[2].event, 1u);
}

std::vector<std::pair<uint64_t, uint64_t>> gains_of(const std::vector<CounterGain>& gains) {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (const CounterGain& gain : gains) pairs.emplace_back(gain.id, gain.events);
  return pairs;
}

using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(SampleReads, ASampleStandsForWhatEachCounterGained) {
  std::vector<uint64_t> first{10, 1, 0, 2}, second{30, 1, 4, 2}, third{40, 1, 4, 2};
  SampleReads reads;
  EXPECT_EQ(gains_of(reads.add(group_attr(), sample_with(7, first))), (Pairs{{1, 10}}));
  EXPECT_EQ(gains_of(reads.add(group_attr(), sample_with(7, second))), (Pairs{{1, 20}, {2, 4}}));
  EXPECT_EQ(gains_of(reads.add(group_attr(), sample_with(8, third))), (Pairs{{1, 10}}));
}

TEST(SampleReads, CountersThatThreadsInheritedAreReadByThread) {
  std::vector<uint64_t> first{10, 1}, of_another{3, 1}, second{12, 1};
  SampleReads reads;
  (void)reads.add(group_attr(true), sample_with(7, first));
  EXPECT_EQ(gains_of(reads.add(group_attr(true), sample_with(8, of_another))), (Pairs{{1, 3}}));
  EXPECT_EQ(gains_of(reads.add(group_attr(true), sample_with(7, second))), (Pairs{{1, 2}}));
  std::vector<ThreadTotal> totals;
  reads.add_totals(events(), totals);
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].value + totals[1].value, 15u);
}

TEST(SampleReads, ACounterOfSeveralThreadsCountsOnACpu) {
  std::vector<uint64_t> words{10, 1};
  SampleReads reads;
  (void)reads.add(group_attr(), sample_with(7, words));
  (void)reads.add(group_attr(), sample_with(8, words));
  std::vector<ThreadTotal> totals;
  reads.add_totals(events(), totals);
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(totals[0].pid, UINT32_MAX);
}

TEST(SampleReads, WhatTheRecordingTotalsItselfIsLeft) {
  std::vector<uint64_t> words{10, 1, 20, 4};
  SampleReads reads;
  (void)reads.add(group_attr(), sample_with(7, words));
  std::vector<ThreadTotal> totals{{.event = 0, .pid = 7, .tid = 7, .value = 99}};
  reads.add_totals(events(), totals);
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].value, 99u);
  EXPECT_EQ(totals[1].event, 2u);
}

}  // namespace
}  // namespace hm::profile
