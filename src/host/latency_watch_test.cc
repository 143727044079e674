// SPDX-License-Identifier: MIT
#include "host/latency_watch.h"

#include <gtest/gtest.h>

namespace hm::host {
namespace {

HostCache cache(int level, uint32_t kib, const char* type = "Unified") {
  return {.level = level, .type = type, .sets = kib * 2, .ways = 8, .line_bytes = 64};
}

TEST(LatencyWatch, TakesHalfOfEachCacheAndMuchMoreThanTheLast) {
  constexpr uint64_t kKiB = 1024;
  std::vector<WatchedLevel> levels =
      watched_levels({cache(1, 32, "Data"), cache(1, 32, "Instruction"), cache(2, 1024), cache(3, 32768)},
                     uint64_t{1} << 40);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].name, "L2");
  EXPECT_EQ(levels[0].bytes, 512 * kKiB);
  EXPECT_EQ(levels[1].name, "L3");
  EXPECT_EQ(levels[1].bytes, 16384 * kKiB);
  EXPECT_EQ(levels[2].name, "memory");
  EXPECT_EQ(levels[2].bytes, 4 * 32768 * kKiB);
}

TEST(LatencyWatch, KeepsToTheMemoryThatThereIs) {
  std::vector<WatchedLevel> levels = watched_levels({cache(3, 32768)}, 1 << 20);
  ASSERT_EQ(levels.size(), 1u) << "no memory beyond the last cache";
  EXPECT_LE(levels[0].bytes, uint64_t{1} << 20);
  EXPECT_EQ(watched_levels({}, uint64_t{1} << 40).size(), 1u) << "no caches are reported";
}

TEST(LatencyWatch, ReadsATimeForEachLevel) {
  Result<LatencyWatch> watch = LatencyWatch::begin({{"L2", 1 << 16}, {"memory", 1 << 20}});
  ASSERT_TRUE(watch) << watch.error().message;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> ns = watch->read();
    ASSERT_EQ(ns.size(), 2u);
    for (double each : ns) EXPECT_GT(each, 0.1);
  }
}

}  // namespace
}  // namespace hm::host
