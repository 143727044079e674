// SPDX-License-Identifier: MIT
#include "host/calibration/level_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::host {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::FieldsAre;

constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

HostCache cache(int level, const char* type, uint64_t bytes) {
  return {level, type, static_cast<uint32_t>(bytes / 64 / 8), 8, 64};
}

TEST(LevelSizes, AreFarFromTheLevelBefore) {
  std::vector<HostCache> caches{cache(1, "Data", 48 * kKiB), cache(1, "Instruction", 32 * kKiB),
                                cache(2, "Unified", 2 * kMiB), cache(3, "Unified", 32 * kMiB)};
  EXPECT_THAT(level_sizes(caches, UINT64_MAX),
              ElementsAre(FieldsAre("L1", 16 * kKiB, _), FieldsAre("L2", 128 * kKiB, _),
                          FieldsAre("L3", 8 * kMiB, _), FieldsAre("memory", 128 * kMiB, _)));
}

TEST(LevelSizes, AreOfMemoryAloneIfNoCacheIsKnown) {
  EXPECT_THAT(level_sizes({}, UINT64_MAX), ElementsAre(FieldsAre("memory", 64 * kMiB, _)));
}

TEST(LevelSizes, LeaveOutACacheHardlyLargerThanTheOneBefore) {
  std::vector<HostCache> caches{cache(1, "Data", 32 * kKiB), cache(2, "Unified", 2 * kMiB),
                                cache(3, "Unified", 6 * kMiB)};
  EXPECT_THAT(level_sizes(caches, UINT64_MAX),
              ElementsAre(FieldsAre("L1", 16 * kKiB, _), FieldsAre("L2", 128 * kKiB, _),
                          FieldsAre("memory", 64 * kMiB, _)));
}

TEST(LevelSizes, LeaveMemoryToOthers) {
  EXPECT_EQ(level_sizes({cache(1, "Data", 32 * kKiB)}, 40 * kMiB).back().bytes, 32 * kMiB);
  EXPECT_EQ(level_sizes({cache(3, "Unified", 512 * kMiB)}, UINT64_MAX).back().bytes, 1024 * kMiB);
}

}  // namespace
}  // namespace hm::host
