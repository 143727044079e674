// SPDX-License-Identifier: MIT
// Accesses whose number or size is not in the instruction's encoding. The programs list the expected counts.
// The Valgrind engine does not run AVX-512, and counts masked moves by elements.
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

TEST(MaskedAccesses, OfAvxAreOneEach) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2; not tested";
  choose_engine("direct");
  Counts counts = count({"--l1d", "32768,8,64"}, {program("masked_moves")});
  EXPECT_EQ(counts["memory_loads"], 4u);
  EXPECT_EQ(counts["memory_stores"], 2u);
  EXPECT_EQ(counts["l1_cache_miss"], 3u);
  EXPECT_EQ(counts["l1_store_miss"], 3u);
}

TEST(SavedState, IsStoredButForItsHeader) {
  if (!__builtin_cpu_supports("avx")) GTEST_SKIP() << "this processor has no AVX; not tested";
  choose_engine("direct");
  Counts counts = count({"--l1d", "32768,8,64"}, {program("saved_state")});
  EXPECT_EQ(counts["memory_loads"], 4u);
  EXPECT_EQ(counts["memory_stores"], 3u);
  EXPECT_EQ(counts["l1_cache_miss"], 2u);
  EXPECT_EQ(counts["l1_store_miss"], 32u);
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
