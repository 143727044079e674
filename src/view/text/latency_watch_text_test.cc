// SPDX-License-Identifier: MIT
#include "view/text/latency_watch_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::text {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LatencyRows, CompareWithTheLeastSoFar) {
  LatencyRows rows({{"L3", 16 << 20}, {"memory", 128 << 20}});
  EXPECT_THAT(rows.head(3), HasSubstr("on CPU 3 in memory of: L3 16.0 MiB, memory 128 MiB"));
  EXPECT_THAT(rows.row(0, {12, 100}), HasSubstr("12.0 x1.00       100.0 x1.00\n"));
  EXPECT_THAT(rows.row(0, {24, 90}), HasSubstr("24.0 x2.00        90.0 x1.00\n"));
  EXPECT_THAT(rows.row(0, {12, 180}), HasSubstr("12.0 x1.00       180.0 x2.00\n"));
}

TEST(LatencyRows, ConcludeWhatVaried) {
  LatencyRows rows({{"L3", 16 << 20}, {"memory", 128 << 20}});
  EXPECT_EQ(rows.conclusion(), "");
  rows.row(0, {12, 100});
  rows.row(0, {30, 105});
  rows.row(0, {29, 101});
  EXPECT_THAT(rows.conclusion(),
              HasSubstr("L3: 12.0 to 30.0 ns, 29.0 in the median; others used this cache"));
  EXPECT_THAT(rows.conclusion(), HasSubstr("memory: 100.0 to 105.0 ns, 101.0 in the median\n"));
}

}  // namespace
}  // namespace hm::text
