// SPDX-License-Identifier: MIT
#include "analysis/cause/class_estimate.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::cause {
namespace {

using profile::ObjectKind;
using record::MissClass;

const CacheShape kFirst{64, 64, 8};

MissClass estimate(const Observed& place) {
  return estimate_class(place, kFirst).value_or(ClassEstimate{}).miss_class;
}

Observed random_lines(uint64_t lines, double events, size_t samples = 500) {
  std::mt19937_64 random(samples);
  Observed place;
  for (size_t i = 0; i < samples; ++i) place.addresses.push_back(0x7000000 + random() % lines * 64 + 8);
  place.events = events;
  place.memory = ObjectKind::kHeapBlock;
  return place;
}

TEST(ClassEstimate, LinesMissedOverAndOverAreOfCapacity) {
  EXPECT_EQ(estimate(random_lines(100000, 1000000)), MissClass::kCapacity);
}

TEST(ClassEstimate, AFileReadOnceIsCompulsory) {
  Observed place = random_lines(100000, 100000);
  place.memory = ObjectKind::kFile;
  EXPECT_EQ(estimate(place), MissClass::kCompulsory);
  place.events = 400000;
  EXPECT_EQ(estimate(place), MissClass::kCapacity);
}

// A program must have written its private memory before reading it, but a store may be the first use.
TEST(ClassEstimate, OwnMemoryIsNewOnlyToStores) {
  Observed place = random_lines(100000, 100000);
  EXPECT_EQ(estimate(place), MissClass::kCapacity);
  place.stores = true;
  EXPECT_EQ(estimate(place), MissClass::kCompulsory);
}

TEST(ClassEstimate, AColumnOfRowsAPowerOfTwoApartConflicts) {
  Observed place;
  for (uint64_t i = 0; i < 200; ++i) place.addresses.push_back(0x100000 + i * 37 % 64 * 4096 + i * 8 % 4096);
  place.events = 200000;
  place.step_bytes = 4096;
  std::optional<ClassEstimate> found = estimate_class(place, kFirst);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->miss_class, MissClass::kConflict);
  EXPECT_EQ(found->why, "64 lines 4096 bytes apart lie in 1 of 64 sets");
  place.addresses.push_back(0x100000 + uint64_t{4096} * 4096);  // more lines than the cache has
  EXPECT_EQ(estimate(place), MissClass::kCapacity);
}

TEST(ClassEstimate, RowsPaddedByALineDoNot) {
  Observed place;
  for (uint64_t i = 0; i < 200; ++i) place.addresses.push_back(0x100000 + i * 37 % 64 * 4160);
  place.events = 200000;
  place.step_bytes = 4160;
  EXPECT_EQ(estimate(place), MissClass::kCapacity);
}

TEST(ClassEstimate, ManyLinesOfAFewSetsConflict) {
  Observed place;
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) place.addresses.push_back(random() % 1000 * 4096 + random() % 4 * 64);
  place.events = 1000000;
  EXPECT_EQ(estimate(place), MissClass::kConflict);
  for (uint64_t& address : place.addresses) address = 0x5000 + address % 256;  // only four lines
  EXPECT_EQ(estimate(place), MissClass::kCapacity);
}

TEST(ClassEstimate, WhatComesModifiedFromAnotherCoreIsShared) {
  Observed place = random_lines(1, 100000);
  place.modified_elsewhere = 0.7;
  EXPECT_EQ(estimate(place), MissClass::kSharing);
}

TEST(ClassEstimate, OfTooLittleNothingIsSaid) {
  EXPECT_FALSE(estimate_class(random_lines(1000, 100000, 19), kFirst));
  EXPECT_FALSE(estimate_class(random_lines(1000, 100000), std::nullopt)) << "the cache is not known";
}

TEST(ClassEstimate, GapsFarWiderThanTheOthersAreLeftOut) {
  Observed two = random_lines(10000, 0);
  EXPECT_NEAR(static_cast<double>(lines_spanned(two.addresses, 64)), 10000, 300);
  for (size_t i = 0; i < 250; ++i) two.addresses[i] += uint64_t{1} << 40;
  EXPECT_NEAR(static_cast<double>(lines_spanned(two.addresses, 64)), 20000, 600);
  EXPECT_EQ(lines_spanned(std::vector<uint64_t>{64, 65}, 64), 1u);
  EXPECT_EQ(lines_spanned(std::vector<uint64_t>{}, 64), 0u);
}

TEST(ClassEstimate, TheCacheIsTheOneThatTheEventIsAbout) {
  std::vector<record::CacheInfo> caches{
      {1, 64, 64, 8, "Instruction"}, {1, 64, 64, 12, "Data"}, {2, 64, 2048, 8, "Unified"}};
  EXPECT_EQ(cache_of("l1_store_miss", caches)->ways, 12u);
  EXPECT_EQ(cache_of("l2_cache_miss", caches)->lines(), 16384u);
  EXPECT_FALSE(cache_of("l3_cache_miss", caches));
  EXPECT_FALSE(cache_of("clock", caches));
}

TEST(CacheShape, KeepsByChanceWhatASetHasWaysFor) {
  CacheShape cache{64, 64, 8};
  EXPECT_DOUBLE_EQ(cache.part_kept_by_chance(0), 1);
  EXPECT_GT(cache.part_kept_by_chance(200), 0.98);
  EXPECT_NEAR(cache.part_kept_by_chance(512), 0.453, 0.001);  // Poisson, mean 8, below 8
  EXPECT_LT(cache.part_kept_by_chance(2000), 1e-6);
  EXPECT_DOUBLE_EQ((CacheShape{64, 1, 4096}.part_kept_by_chance(800)), 1);
  EXPECT_DOUBLE_EQ((CacheShape{64, 1, 0xffffffff}.part_kept_by_chance(0xfffffffe)), 1);
  EXPECT_DOUBLE_EQ((CacheShape{64, 1, 900}.part_kept_by_chance(1000000)), 0);
}

}  // namespace
}  // namespace hm::cause
