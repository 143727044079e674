// SPDX-License-Identifier: MIT
#include "pmu/soft/ring/burst_marks.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

constexpr uint64_t kSlots = 10;

BurstMarks after(uint64_t bursts) {
  BurstMarks marks{};
  for (uint64_t i = 0; i < bursts; ++i) marks.add(1000 + i, kSlots);
  return marks;
}

uint64_t slots_in(const BurstMarks& marks) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < marks.count(); ++i) sum += marks.at(i).slots;
  return sum;
}

TEST(BurstMarks, AreOneForEachBurstWhileThereIsRoom) {
  EXPECT_EQ(after(0).count(), 0u);
  BurstMarks marks = after(BurstMarks::kMost);
  ASSERT_EQ(marks.count(), BurstMarks::kMost);
  for (uint32_t i = 0; i < BurstMarks::kMost; ++i) {
    EXPECT_EQ(marks.at(i).begin_ns, 1000 + i);
    EXPECT_EQ(marks.at(i).slots, kSlots);
  }
}

TEST(BurstMarks, StandForMoreBurstsLater) {
  constexpr uint64_t kFull = BurstMarks::kMost;
  for (uint64_t bursts : {kFull + 1, 2 * kFull, 2 * kFull + 1, 10 * kFull + 7}) {
    BurstMarks marks = after(bursts);
    EXPECT_LE(marks.count(), kFull);
    EXPECT_GT(marks.count(), kFull / 2);
    EXPECT_EQ(slots_in(marks), bursts * kSlots);
    uint64_t each = marks.at(0).slots;
    for (uint32_t i = 0; i + 1 < marks.count(); ++i) {
      EXPECT_EQ(marks.at(i).slots, each) << bursts << " " << i;
      EXPECT_EQ(marks.at(i + 1).begin_ns - marks.at(i).begin_ns, each / kSlots);
    }
  }
}

}  // namespace
}  // namespace hm::soft
