// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/reported_mappings.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

TEST(ReportedRanges, MemoryOverAFileIsToldOnce) {
  static ReportedRanges places;
  places.add(0x1000, 0x5000);
  EXPECT_FALSE(places.take_over(0x5000, 0x6000));
  EXPECT_TRUE(places.take_over(0x2000, 0x3000));
  EXPECT_FALSE(places.take_over(0x2000, 0x3000));
  EXPECT_TRUE(places.take_over(0x1000, 0x2000)) << "what lies below is still the file's";
  EXPECT_TRUE(places.take_over(0x4000, 0x9000)) << "and what lies above";
  EXPECT_TRUE(places.take_over(0x3000, 0x4000));
  EXPECT_FALSE(places.take_over(0, ~uint64_t{0}));
}

TEST(ReportedRanges, ForgetsTheOldest) {
  static ReportedRanges places;
  for (uint64_t i = 0; i < 5000; ++i) places.add(i << 12, (i + 1) << 12);
  EXPECT_FALSE(places.take_over(0, 1 << 12));
  EXPECT_TRUE(places.take_over(uint64_t{4999} << 12, uint64_t{5000} << 12));
}

TEST(ReportedHeap, TakesFewRecords) {
  ReportedHeap heap;
  constexpr uint64_t kStart = 0x555555000000, kStep = 0x21000;
  EXPECT_FALSE(heap.grows(kStart));
  unsigned records = 0;
  for (uint64_t end = kStart; end < kStart + (uint64_t{1} << 30); end += kStep) {
    records += heap.grows(end);
    ASSERT_EQ(heap.start(), kStart);
    ASSERT_LE(end, heap.reported_end());
    ASSERT_LE(heap.reported_end() - kStart, 2 * (end - kStart) + ReportedHeap::kMinBytes);
  }
  EXPECT_EQ(records, 11u);  // from 1 MiB to 1 GiB
}

}  // namespace
}  // namespace hm::soft
