// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace hm {
namespace {

TEST(ParallelFor, RunsEachTaskOnce) {
  for (size_t workers : {0, 1, 2, 7}) {
    std::vector<std::atomic<int>> runs(100);
    parallel_for(runs.size(), workers, [&](size_t i) { ++runs[i]; });
    for (const std::atomic<int>& count : runs) EXPECT_EQ(count, 1);
  }
  parallel_for(0, 4, [](size_t) { FAIL(); });
}

TEST(AvailableCpus, IsAtLeastOne) { EXPECT_GE(available_cpus(), 1u); }

}  // namespace
}  // namespace hm
