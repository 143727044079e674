// SPDX-License-Identifier: MIT
#include "profile/latencies.h"

#include <gtest/gtest.h>

namespace hm::profile {
namespace {

TEST(Latencies, PercentilesAreValuesThatWereMeasured) {
  Latencies latencies;
  EXPECT_FALSE(latencies.describe().has_value());
  latencies.add(std::nullopt);
  EXPECT_FALSE(latencies.describe().has_value());
  for (uint64_t cycles = 100; cycles > 0; --cycles) latencies.add(cycles);
  std::optional<Latency> latency = latencies.describe();
  ASSERT_TRUE(latency.has_value());
  EXPECT_EQ(latency->samples, 100u);
  EXPECT_EQ(latency->total, 5050u);
  EXPECT_EQ(latency->median, 50u);
  EXPECT_EQ(latency->p90, 90u);
  EXPECT_EQ(latency->p99, 99u);
  EXPECT_EQ(latency->most, 100u);
}

TEST(Latencies, PercentilesAreOfTheEventsThatSamplesStandFor) {
  Latencies latencies;
  for (int i = 0; i < 9; ++i) latencies.add(4, 10);
  latencies.add(200, 910);
  Latency latency = *latencies.describe();
  EXPECT_EQ(latency.samples, 10u);
  EXPECT_EQ(latency.median, 200u);
  EXPECT_EQ(latency.total, 236u);
  EXPECT_EQ(latency.estimated, 9 * 4 * 10 + 200 * 910);
}

TEST(Latencies, OneIsEachOfThem) {
  Latencies latencies;
  latencies.add(7);
  EXPECT_EQ(latencies.describe()->median, 7u);
  EXPECT_EQ(latencies.describe()->p99, 7u);
}

TEST(Latencies, ATotalDoesNotOverflow) {
  Latencies latencies;
  latencies.add(UINT64_MAX);
  latencies.add(5);
  EXPECT_EQ(latencies.describe()->total, UINT64_MAX);
}

}  // namespace
}  // namespace hm::profile
