// SPDX-License-Identifier: MIT
// Masked accesses of AVX-512, which Valgrind does not run (masked.S lists the expected counts), and accesses
// of instructions that fault.
#include <gtest/gtest.h>

#include <string>

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

// Returns the loads of 1,000 faulting loads and their handlers.
uint64_t loads_of_faults(const std::string& way) {
  auto loads = [&](const std::string& pages) {
    return count({}, {program("faulting_gather"), way, pages})["memory_loads"];
  };
  return loads("1000") - loads("0");
}

// An instruction that faults runs again, and is counted once.
TEST(MaskedAccesses, OfAGatherThatFaultsAreCountedOnce) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2; not tested";
  choose_engine("direct");
  auto of_gathers = static_cast<double>(loads_of_faults("gather"));
  auto of_loads = static_cast<double>(loads_of_faults("load"));
  EXPECT_GT(of_loads, 1000);
  EXPECT_NEAR(of_gathers, of_loads, 100);
}

}  // namespace
}  // namespace hm::direct_test
