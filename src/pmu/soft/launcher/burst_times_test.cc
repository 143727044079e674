// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/burst_times.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

using Begins = std::vector<uint64_t>;

TEST(BurstTimes, OfNoBurstsAreNone) { EXPECT_EQ(BurstTimes().begins_of_parts(4), Begins{}); }

TEST(BurstTimes, AreThoseOfEachBurstIfThereAreFew) {
  BurstMarks marks{};
  for (uint64_t begin : {30, 40, 70}) marks.add(begin, 10);
  BurstTimes times;
  times.add(marks);
  EXPECT_EQ(times.begins_of_parts(64), (Begins{30, 40, 70}));
}

TEST(BurstTimes, FormPartsWithEqualNumbersOfSlots) {
  BurstMarks marks{};
  for (uint64_t i = 0; i < 8; ++i) marks.add(i, 10);
  for (uint64_t i = 8; i < 12; ++i) marks.add(i, 80);  // bursts become longer
  BurstTimes times;
  times.add(marks);
  EXPECT_EQ(times.begins_of_parts(5), (Begins{0, 8, 9, 10, 11}));
}

TEST(BurstTimes, OfTwoProcessesAreInOrder) {
  BurstMarks first{}, second{};
  for (uint64_t i = 0; i < 100; ++i) (i % 2 == 0 ? first : second).add(i, 10);
  BurstTimes times;
  times.add(second);
  times.add(first);
  EXPECT_EQ(times.begins_of_parts(4), (Begins{0, 25, 50, 75}));
}

TEST(BurstTimes, OfManyProcessesAreBounded) {
  BurstTimes times;
  for (uint64_t process = 0; process < 3000; ++process) {
    BurstMarks marks{};
    for (uint64_t i = 0; i < 4; ++i) marks.add(1000 * process + i, 10);
    times.add(marks);
  }
  Begins found = times.begins_of_parts(30);
  ASSERT_EQ(found.size(), 30u);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(static_cast<double>(found[i]), 100'000.0 * static_cast<double>(i), 5000) << i;
}

}  // namespace
}  // namespace hm::soft
