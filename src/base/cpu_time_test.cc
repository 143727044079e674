// SPDX-License-Identifier: MIT
#include "base/cpu_time.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(CpuTime, HasBothPartsOfWhatTheKernelAccounts) {
  rusage usage{};
  usage.ru_utime = {1, 500'000};
  usage.ru_stime = {4, 500'000};
  CpuTime time = cpu_time_of(usage);
  EXPECT_EQ(time, (CpuTime{1'500'000'000, 4'500'000'000}));
  EXPECT_DOUBLE_EQ(time.kernel_share(), 0.75);
  EXPECT_DOUBLE_EQ(CpuTime().kernel_share(), 0);
}

// The kernel splits the sum by ticks and may shrink one part when the sum grows.
TEST(CpuTime, DoesNotGrowBackwards) {
  EXPECT_EQ(growth({10, 20}, {15, 20}), (CpuTime{5, 0}));
  EXPECT_EQ(growth({10, 20}, {9, 22}), (CpuTime{0, 2}));
}

}  // namespace
}  // namespace hm
