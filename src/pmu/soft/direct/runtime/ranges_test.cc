// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/ranges.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace hm::soft::direct {
namespace {

TEST(Ranges, TouchingOnesBecomeOne) {
  Ranges ranges;
  ranges.add(10, 20);
  ranges.add(30, 40);
  ranges.add(20, 30);
  EXPECT_EQ(ranges.end_at(10), 40u);
  EXPECT_EQ(ranges.end_at(9), 0u);
  EXPECT_EQ(ranges.end_at(40), 0u);
  EXPECT_TRUE(ranges.hold(15, 40));
  EXPECT_FALSE(ranges.hold(15, 41));
}

TEST(Ranges, RemovingLeavesBothSides) {
  Ranges ranges;
  ranges.add(10, 40);
  ranges.remove(20, 30);
  EXPECT_EQ(ranges.end_at(10), 20u);
  EXPECT_EQ(ranges.end_at(20), 0u);
  Range first = ranges.first_in(15, 35);
  EXPECT_EQ(first.start, 15u);
  EXPECT_EQ(first.end, 20u);
  Range next = ranges.first_in(first.end, 35);
  EXPECT_EQ(next.start, 30u);
  EXPECT_EQ(next.end, 35u);
  EXPECT_EQ(ranges.first_in(40, 50).start, ranges.first_in(40, 50).end);
}

TEST(Ranges, AreWhatATableOfUnitsSays) {
  constexpr uint64_t kUnits = 200;
  std::mt19937 random(1);
  Ranges ranges;
  std::vector<bool> in(kUnits + 1);
  for (unsigned i = 0; i < 500; ++i) {
    uint64_t start = random() % kUnits, end = start + 1 + random() % (kUnits - start);
    bool adds = random() % 2 == 0;
    adds ? ranges.add(start, end) : ranges.remove(start, end);
    for (uint64_t unit = start; unit < end; ++unit) in[unit] = adds;
    for (uint64_t unit = 0; unit < kUnits; ++unit) {
      uint64_t behind = unit;
      while (in[behind]) ++behind;
      ASSERT_EQ(ranges.end_at(unit), in[unit] ? behind : 0) << "at " << unit << " after step " << i;
    }
  }
}

// Grows the set beyond one block, and shrinks it again.
TEST(Ranges, ManyAreWhatATableOfUnitsSays) {
  constexpr uint64_t kUnits = 20000;
  std::mt19937 random(2);
  Ranges ranges;
  std::vector<bool> in(kUnits + 1);
  const auto check = [&](unsigned step) {
    for (uint64_t unit = kUnits, behind = kUnits; unit-- > 0;) {
      behind = in[unit] ? behind : unit;
      ASSERT_EQ(ranges.end_at(unit), in[unit] ? behind : 0) << "at " << unit << " after step " << step;
      if (!in[unit]) behind = unit;
    }
  };
  const auto change = [&](uint64_t start, uint64_t units, bool adds) {
    uint64_t end = start + units < kUnits ? start + units : kUnits;
    adds ? ranges.add(start, end) : ranges.remove(start, end);
    for (uint64_t unit = start; unit < end; ++unit) in[unit] = adds;
  };
  for (uint64_t unit = kUnits; unit >= 2; unit -= 2) change(unit - 2, 1, true);  // as the kernel maps
  check(0);
  for (unsigned step = 1; step <= 30; ++step) {
    for (unsigned i = 0; i < 2000; ++i) change(random() % kUnits, 1 + random() % 3, random() % 3 != 0);
    check(step);
    if (step % 10 == 0) change(random() % kUnits, kUnits / 2, step % 20 == 0);
    if (step % 10 == 5) change(0, kUnits, false);
    check(step);
  }
  ranges.clear();
  EXPECT_EQ(ranges.first_in(0, kUnits).start, kUnits);
}

}  // namespace
}  // namespace hm::soft::direct
