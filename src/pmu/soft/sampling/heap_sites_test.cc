// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/heap_sites.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "pmu/soft/sampling/test_platform.h"

namespace hm::soft {
namespace {

using Sites = HeapSites<TestPlatform>;

class HeapSitesTest : public ::testing::Test {
 protected:
  HeapSitesTest() { EXPECT_TRUE(sites_->begin()); }

  // The number, and whether it is new.
  struct Number {
    uint32_t number;
    bool is_new;
    bool any_depth;  // valid if new
  };
  Number site_of(uint64_t return_address, uint64_t depth, uint64_t path = 0) {
    Number made{};
    made.number = sites_->site_of(
        {return_address, path, depth}, [this](uint64_t) { ++watched_; },
        [&](bool any_depth) {
          made.is_new = true;
          made.any_depth = any_depth;
          return ++numbers_;
        });
    return made;
  }

  std::unique_ptr<Sites> sites_ = std::make_unique<Sites>();
  std::atomic<uint32_t> watched_ = 0;
  std::atomic<uint32_t> numbers_ = 0;
};

TEST_F(HeapSitesTest, PathsAreToldApart) {
  Number first = site_of(0x401000, 160, 1);
  EXPECT_NE(site_of(0x401000, 160, 2).number, first.number);
  EXPECT_EQ(site_of(0x401000, 160, 1).number, first.number);
  EXPECT_EQ(watched_, 1u);
}

TEST_F(HeapSitesTest, WithoutDepthsWhereThereAreTooMany) {
  for (uint64_t depth = 0; depth < Sites::kMaxDepths; ++depth) (void)site_of(0x401000, 16 * depth, 1);
  Number one = site_of(0x401000, 16000, 1), other = site_of(0x401000, 16000, 2);
  EXPECT_TRUE(one.any_depth && other.any_depth);
  EXPECT_NE(one.number, other.number);
  EXPECT_EQ(site_of(0x401000, 32000, 2).number, other.number);
}

TEST_F(HeapSitesTest, WithoutPathsWhereThereAreTooMany) {
  std::set<uint32_t> numbers;
  for (uint64_t path = 0; path < 10000; ++path) numbers.insert(site_of(0x401000, 160, path).number);
  EXPECT_EQ(numbers.size(), Sites::kMaxPaths + 1);
}

TEST_F(HeapSitesTest, APlaceAndADepthHaveANumber) {
  Number first = site_of(0x401000, 160);
  EXPECT_TRUE(first.is_new);
  EXPECT_FALSE(first.any_depth);
  Number again = site_of(0x401000, 160);
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.number, first.number);
  EXPECT_NE(site_of(0x401000, 176).number, first.number);
  EXPECT_NE(site_of(0x401005, 160).number, first.number);
  EXPECT_EQ(watched_, 2u);
  EXPECT_TRUE(sites_->is_return(0x401000));
  EXPECT_FALSE(sites_->is_return(0x401001));
  EXPECT_FALSE(sites_->is_return(0));
  EXPECT_EQ(site_of(0, 160).number, 0u);
  EXPECT_EQ(site_of(~uint64_t{0}, 160).number, 0u);
}

TEST_F(HeapSitesTest, RecursionHasFewNumbers) {
  std::set<uint32_t> numbers;
  for (uint64_t depth = 0; depth < 10000; ++depth) {
    Number site = site_of(0x401000, 16 * depth);
    EXPECT_EQ(site.any_depth, depth == Sites::kMaxDepths);
    EXPECT_EQ(site.is_new, depth <= Sites::kMaxDepths);
    numbers.insert(site.number);
  }
  EXPECT_EQ(numbers.size(), Sites::kMaxDepths + 1);
  EXPECT_FALSE(numbers.contains(0));
}

TEST_F(HeapSitesTest, ThereAreNoMoreThanCanBeHeld) {
  for (uint64_t place = 0; place < 3 * Sites::kMaxReturns / 2; ++place) {
    for (uint64_t depth : {16, 32}) (void)site_of(0x401000 + place * 5, depth);
  }
  EXPECT_LE(numbers_, Sites::kMaxSites + Sites::kMaxReturns);
  EXPECT_EQ(watched_, Sites::kMaxReturns);
  EXPECT_NE(site_of(0x401000 + 5 * uint64_t{50000}, 16).number, 0u);
  EXPECT_EQ(site_of(0x401000 + 5 * uint64_t{Sites::kMaxReturns}, 16).number, 0u);
}

TEST_F(HeapSitesTest, ThreadsAgree) {
  std::vector<std::vector<uint32_t>> numbers(4);
  std::vector<std::thread> threads;
  threads.reserve(numbers.size());
  for (auto& own : numbers) {
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < 20000; ++i) own.push_back(site_of(0x401000 + i / 10 * 5, i % 10 * 16).number);
    });
  }
  for (std::thread& each : threads) each.join();
  for (const auto& own : numbers) EXPECT_EQ(own, numbers[0]);
  EXPECT_EQ(numbers_, 20000u);
}

}  // namespace
}  // namespace hm::soft
