// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/lock_order.h"

#include <gtest/gtest.h>

#include "pmu/soft/direct/runtime/lock.h"

namespace hm::soft::direct {
namespace {

TEST(HeldLocks, AreNoneAtFirst) {
  HeldLocks held;
  EXPECT_EQ(held.count(), 0u);
  for (uint32_t position : {1u, 64u, HeldLocks::kMaxPosition}) {
    EXPECT_FALSE(held.holds(position));
    EXPECT_TRUE(held.may_take(position));
  }
}

TEST(HeldLocks, PermitOnlyHigherPositions) {
  for (uint32_t position : {1u, 63u, 64u, 65u, 127u, 128u, 191u, 254u}) {
    HeldLocks held;
    held.add(position);
    EXPECT_TRUE(held.holds(position));
    EXPECT_EQ(held.count(), 1u);
    for (uint32_t other = 1; other <= HeldLocks::kMaxPosition; ++other)
      EXPECT_EQ(held.may_take(other), other > position) << other << " after " << position;
    held.remove(position);
    EXPECT_EQ(held.count(), 0u);
    EXPECT_TRUE(held.may_take(1));
  }
}

TEST(HeldLocks, AreReleasedInAnyOrder) {
  HeldLocks held;
  for (uint32_t position : {3u, 70u, 200u}) held.add(position);
  held.remove(70);
  EXPECT_FALSE(held.may_take(200));
  held.remove(200);
  EXPECT_EQ(held.count(), 1u);
  EXPECT_TRUE(held.may_take(70));
  EXPECT_FALSE(held.may_take(3));
}

constexpr int kStatusOfLock = 127;
constexpr char kOrder[] = "check of the copying engine failed: a thread takes locks in the order of";

// Two locks in this order, whose order is checked.
class CheckedLocks : public ::testing::Test {
 protected:
  CheckedLocks() {
    first_.check_order(1);
    second_.check_order(2);
  }

  Lock first_, second_;
};

TEST_F(CheckedLocks, MayBeTakenInOrderAgainAndAgain) {
  for (int i = 0; i < 2; ++i) {
    Guard first(first_), second(second_);
    EXPECT_EQ(held_locks()->count(), 2u);
  }
  EXPECT_EQ(held_locks()->count(), 0u);
}

TEST_F(CheckedLocks, EndTheProcessIfTheirOrderIsViolated) {
  EXPECT_EXIT(
      {
        Guard second(second_);
        Guard first(first_);
      },
      ::testing::ExitedWithCode(kStatusOfLock), kOrder);
}

TEST_F(CheckedLocks, EndTheProcessIfAThreadWouldWaitForItself) {
  EXPECT_EXIT(
      {
        Guard first(first_);
        first_.lock();
      },
      ::testing::ExitedWithCode(kStatusOfLock), "failed: a thread takes no lock that it holds");
}

TEST_F(CheckedLocks, EndTheProcessIfAThreadReleasesALockOfAnother) {
  EXPECT_EXIT(first_.unlock(), ::testing::ExitedWithCode(kStatusOfLock),
              "failed: a thread releases only locks that it holds");
}

TEST_F(CheckedLocks, AreNotHeldBehindAReset) {
  first_.lock();
  second_.lock();
  first_.reset();
  second_.reset();
  EXPECT_EQ(held_locks()->count(), 0u);
  Guard first(first_);
}

TEST(UncheckedLocks, MayBeTakenInAnyOrder) {
  Lock one, other;
  { Guard first(one), second(other); }
  Guard second(other), first(one);
  EXPECT_EQ(held_locks()->count(), 0u);
}

}  // namespace
}  // namespace hm::soft::direct
