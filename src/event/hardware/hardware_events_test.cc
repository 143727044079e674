// SPDX-License-Identifier: MIT
#include "event/hardware/hardware_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "event/hardware/known_cpus.h"

namespace hm::event {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

HardwareEvent one_event(EventId id, const char* cpu) {
  const EventTemplate* event = &event_template(id);
  return hardware_events({&event, 1}, find_known_cpu(cpu)->model).events.front();
}

TEST(HardwareEvents, CountingAndSamplingDifferWhereTheHardwareDoes) {
  EXPECT_TRUE(same_encodings(one_event(EventId::kL1CacheMiss, "icelake-sp")));
  EXPECT_FALSE(same_encodings(one_event(EventId::kL1CacheMiss, "zen3")));
  EXPECT_TRUE(same_encodings(one_event(EventId::kBranchRetired, "zen3")));
  EXPECT_FALSE(same_encodings(one_event(EventId::kSplitLoadMiss, "zen3")));
}

TEST(HardwareEvents, AnUnknownProcessorHasNoName) {
  const EventTemplate* event = &event_template(EventId::kClock);
  HardwareEvents events = hardware_events({&event, 1}, CpuModel{});
  EXPECT_EQ(events.cpu, "");
  EXPECT_FALSE(events.events.front().counted.ok());
}

TEST(HardwareEvents, ContentsOfASample) {
  EXPECT_THAT(sample_contents(one_event(EventId::kL1CacheMiss, "zen3").sampled->front()),
              ElementsAre("instruction", "address", "latency", "data source"));
  EXPECT_THAT(sample_contents(one_event(EventId::kClock, "neoverse-n1").sampled->front()), IsEmpty());
}

TEST(HardwareEvents, WhatIsKept) {
  EXPECT_EQ(kept_samples({}), "");
  EXPECT_EQ(kept_samples({.stores = false, .others = false, .missed_cache_level = 2}),
            "loads that no cache up to level 2 had");
  EXPECT_EQ(kept_samples({.others = false, .missed_tlb = true}),
            "loads and stores that the first-level data TLB missed");
  EXPECT_EQ(kept_samples({.loads = false, .others = false}), "stores");
}

}  // namespace
}  // namespace hm::event
