// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/session_occupancy.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace hm::soft {
namespace {

constexpr uint32_t kLineBytes = 64;
constexpr uint32_t kNone = model::SessionCache::kOthers;

class SessionOccupancyTest : public ::testing::Test {
 protected:
  SessionOccupancyTest() : memory(model::SessionCache::bytes(kGeometry) / sizeof(uint64_t) + 16) {
    void* aligned = memory.data();
    size_t space = memory.size() * sizeof(uint64_t);
    cache = static_cast<model::SessionCache*>(
        std::align(64, model::SessionCache::bytes(kGeometry), aligned, space));
    cache->build(kGeometry);
    occupancy.emplace(*cache, kLineBytes);
  }

  void fetch(uint32_t holder, uint64_t first, uint64_t lines) {
    for (uint64_t line = first; line < first + lines; ++line) cache->access(1, line, holder);
  }
  std::unique_ptr<rdt::Group> watch(std::vector<pid_t> threads) {
    return std::move(occupancy->watch({std::move(threads), {}}).value());
  }
  static uint64_t lines(rdt::Group& group) { return *group.read().at(0).occupancy_bytes / kLineBytes; }
  static uint64_t fetched(rdt::Group& group) { return *group.read().at(0).total_bytes / kLineBytes; }

  static constexpr model::SetGeometry kGeometry{16, 4};
  std::vector<uint64_t> memory;
  model::SessionCache* cache;
  std::optional<SessionOccupancy> occupancy;
};

TEST_F(SessionOccupancyTest, SaysWhatItCanTell) {
  EXPECT_EQ(occupancy->capabilities().domains, (std::vector<rdt::Domain>{{0, 64 * kLineBytes}}));
  EXPECT_FALSE(occupancy->watch({{}, {0}}).ok());
}

TEST_F(SessionOccupancyTest, CountsThreadsOfAGroupTogether) {
  uint32_t one = cache->take_holder(10, 10, 1), two = cache->take_holder(20, 20, 1);
  auto group = watch({10, 20}), other = watch({30});
  fetch(one, 0, 5);
  fetch(two, 100, 7);
  occupancy->begin_round();
  EXPECT_EQ(lines(*group), 12u);
  EXPECT_EQ(lines(*other), 0u);
  fetch(cache->take_holder(30, 30, 1), 200, 3);  // it begins after it was added
  EXPECT_EQ(lines(*other), 0u) << "the round has begun before";
  occupancy->begin_round();
  EXPECT_EQ(lines(*other), 3u);
  EXPECT_EQ(fetched(*other), 3u);
}

TEST_F(SessionOccupancyTest, WhatAProcessStartsIsInItsGroup) {
  uint32_t child = cache->take_holder(11, 11, 10);  // before the parent is in a group
  uint32_t parent = cache->take_holder(10, 10, 1);
  auto group = watch({10});
  fetch(parent, 0, 1);
  fetch(child, 10, 2);
  fetch(cache->take_holder(11, 12, 10, {child, 11}), 20, 4);  // a second thread
  occupancy->begin_round();
  EXPECT_EQ(lines(*group), 7u);
}

TEST_F(SessionOccupancyTest, AThreadCanMoveToAnotherGroup) {
  uint32_t thread = cache->take_holder(10, 10, 1);
  auto all = watch({10});
  fetch(thread, 0, 4);
  auto own = watch({});
  EXPECT_TRUE(own->add(10).ok());
  occupancy->begin_round();
  EXPECT_EQ(lines(*all), 0u);
  EXPECT_EQ(lines(*own), 4u);
}

TEST_F(SessionOccupancyTest, FetchesOfThreadsThatAreGoneStay) {
  uint32_t parent = cache->take_holder(10, 10, 1);
  auto group = watch({10});
  uint32_t child = cache->take_holder(11, 11, 10);
  fetch(child, 0, 64);
  cache->end_holder(child);
  fetch(kNone, 1000, 64);  // evicts all of them
  EXPECT_EQ(cache->take_holder(99, 99, 1), child) << "the entry is given to another thread, before any round";
  occupancy->begin_round();
  EXPECT_EQ(lines(*group), 0u);
  EXPECT_EQ(fetched(*group), 64u);
  cache->end_holder(parent);
  EXPECT_NE(cache->take_holder(98, 98, 1), parent) << "the last of its group keeps what is known of it";
  occupancy->begin_round();
  EXPECT_EQ(fetched(*group), 64u);
}

TEST_F(SessionOccupancyTest, AGroupCanBeBoundedToSomeWays) {
  uint32_t thread = cache->take_holder(10, 10, 1);
  Result<std::unique_ptr<rdt::Group>> group = occupancy->watch({.threads = {10}, .ways = 0b0011});
  ASSERT_TRUE(group.ok());
  fetch(thread, 0, 64);
  fetch(cache->take_holder(11, 11, 10, {thread, 10}), 100, 64);  // child processes are restricted, too
  occupancy->begin_round();
  EXPECT_EQ(lines(**group), 32u) << "two of four ways";
  group->reset();
  fetch(thread, 0, 64);
  EXPECT_EQ(cache->holder(thread).ways, 0u);
  EXPECT_EQ(occupancy->watch({.threads = {10}, .ways = 0b10000}).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(SessionOccupancyTest, AGroupThatGoesLeavesItsThreads) {
  uint32_t thread = cache->take_holder(10, 10, 1);
  watch({10}).reset();
  fetch(thread, 0, 3);
  auto group = watch({10});
  occupancy->begin_round();
  EXPECT_EQ(lines(*group), 3u);
}

}  // namespace
}  // namespace hm::soft
