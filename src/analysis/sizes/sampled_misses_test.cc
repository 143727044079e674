// SPDX-License-Identifier: MIT
#include "analysis/sizes/sampled_misses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "model/stack_distances.h"
#include "model/test_storage.h"

namespace hm::sizes {
namespace {

// Typical accesses: a few lines often, arrays in order, many lines rarely.
TEST(SampledMisses, AreThoseOfAllSetsWithinTheirIntervals) {
  model::SizeRange some{128, 5, 8, 0, 2}, whole{128, 5, 8};
  model::InStorage<model::StackDistances> sampled(some), all(whole);
  std::mt19937_64 random(3);
  uint64_t next = 1 << 20;
  constexpr uint64_t kAccesses = 300000;
  for (uint64_t i = 0; i < kAccesses; ++i) {
    uint64_t kind = random() % 4, few = random() % 300, some_more = random() % 9000, many = random() % 200000;
    uint64_t line = kind == 0 ? few : kind == 1 ? next++ : kind == 2 ? some_more : many;
    sampled.object.access(line);
    all.object.count(line);
  }
  uint32_t inside = 0;
  for (uint32_t i = 0; i < some.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= some.ways; ++ways) {
      SampledMisses estimate =
          sampled_misses({sampled.object.batches(), model::kSizeBatches}, kAccesses, some, i, ways);
      auto exact = static_cast<double>(all.object.counts().misses(i, ways));
      double off = std::abs(static_cast<double>(estimate.misses) - exact);
      EXPECT_LT(off, 0.05 * exact);
      inside += off <= static_cast<double>(estimate.error) ? 1 : 0;
    }
  }
  EXPECT_GE(inside, some.set_counts * some.ways * 8 / 10);
}

TEST(SampledMisses, OfBatchesThatAreAlikeAreCertain) {
  model::SizeRange range{64, 1, 2, 0, 3};
  std::vector<model::SizeCounts> batches(model::kSizeBatches);
  for (model::SizeCounts& batch : batches) {
    batch.accesses = 100;
    batch.at_depth[0][0] = 60;
    batch.at_depth[0][1] = 30;
  }
  EXPECT_EQ(sampled_misses(batches, 10000, range, 0, 2).misses, 8u * 8 * 10);
  EXPECT_EQ(sampled_misses(batches, 10000, range, 0, 2).error, 0u);
  EXPECT_EQ(sampled_misses(batches, 500, range, 0, 2).misses, 500u) << "no more than there were accesses";
  batches[0].at_depth[0][0] = 52;
  EXPECT_GT(sampled_misses(batches, 10000, range, 0, 2).error, 0u);
}

}  // namespace
}  // namespace hm::sizes
