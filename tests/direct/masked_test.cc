// SPDX-License-Identifier: MIT
// Masked accesses of AVX-512, which Valgrind does not run: masked.S lists the expected counts.
#include <gtest/gtest.h>

#include "measuring.h"

namespace hm::direct_test {
namespace {

using namespace soft_pmu_test;

TEST(MaskedAccesses, TouchWhatTheMaskLetsThrough) {
  if (!__builtin_cpu_supports("avx512bw")) GTEST_SKIP() << "this processor has no AVX-512; not tested";
  choose_engine("direct");
  Counts counts = count({"--l1d", "32768,8,64"}, {program("masked")});
  EXPECT_EQ(counts["memory_loads"], 5u);
  EXPECT_EQ(counts["memory_stores"], 3u);
  EXPECT_EQ(counts["l1_cache_miss"], 3u);
  EXPECT_EQ(counts["l1_store_miss"], 3u);
}

}  // namespace
}  // namespace hm::direct_test
