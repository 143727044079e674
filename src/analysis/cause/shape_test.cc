// SPDX-License-Identifier: MIT
#include "analysis/cause/shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace hm::cause {
namespace {

using symbol::AddressSource;

Walk walk(const std::vector<int64_t>& steps, AddressSource source = AddressSource::kCounted) {
  return walk_of(steps, {.source = source, .near = {}}, 64);
}

TEST(Shape, LineAfterLineIsSequentialBackwardsToo) {
  EXPECT_EQ(walk({64, 64, 64, 64, 128}).shape, Shape::kSequential);
  EXPECT_EQ(walk({-64, -64, -64, -64}).shape, Shape::kSequential);
}

TEST(Shape, EqualStepsOverLinesAreAStride) {
  Walk found = walk({4096, 4096, 4096, -2093056, 4096});
  EXPECT_EQ(found.shape, Shape::kStrided);
  EXPECT_EQ(found.step_bytes, 4096);
  EXPECT_DOUBLE_EQ(found.step_share, 0.8);
}

TEST(Shape, AStrideNeedsALoopThatMakesIt) {
  std::vector<int64_t> steps{512, 512, 512, 8192, 512};
  EXPECT_EQ(walk(steps, AddressSource::kUnknown).shape, Shape::kNotClear);
  EXPECT_EQ(walk(steps, AddressSource::kUnknown).step_bytes, 512);
  EXPECT_EQ(walk(steps, AddressSource::kFixed).shape, Shape::kNotClear) << "a loop, but not over these";
  EXPECT_EQ(walk(steps, AddressSource::kLoaded).shape, Shape::kIndirect);
  EXPECT_EQ(walk(steps, AddressSource::kComputed).shape, Shape::kStrided)
      << "a row's number times its length";
}

TEST(Shape, NearlyAllStepsEqualAreAStrideOverATablesRowsAndWithoutCode) {
  std::vector<int64_t> steps(19, 4000);
  steps.push_back(-3999996);
  EXPECT_EQ(walk(steps, AddressSource::kLoadedInOrder).shape, Shape::kStrided);
  EXPECT_EQ(walk(steps, AddressSource::kNoCode).shape, Shape::kStrided);
  EXPECT_EQ(walk(steps, AddressSource::kLoaded).shape, Shape::kIndirect);
  steps.insert(steps.end(), {64, 128, 8000});
  EXPECT_EQ(walk(steps, AddressSource::kLoadedInOrder).shape, Shape::kIndirect);
  EXPECT_EQ(walk(steps, AddressSource::kNoCode).shape, Shape::kNotClear);
}

TEST(Shape, TheSameLineAgainIsOnePlace) { EXPECT_EQ(walk({0, 0, 8, 0}).shape, Shape::kOnePlace); }

TEST(Shape, OfUnequalStepsTheCodeSaysWhy) {
  std::vector<int64_t> unequal{64, -4096, 320, 77777, 128};
  EXPECT_EQ(walk(unequal, AddressSource::kComputed).shape, Shape::kComputed);
  EXPECT_EQ(walk(unequal, AddressSource::kLoaded).shape, Shape::kIndirect);
  EXPECT_EQ(walk(unequal, AddressSource::kUnknown).shape, Shape::kIrregular);
}

TEST(Shape, AListIsOneAlsoWhereItsNodesLieInOrder) {
  EXPECT_EQ(walk({64, 64, 64, 64}, AddressSource::kChased).shape, Shape::kPointerChase);
}

TEST(Shape, OfFewStepsOnlyTheCodeTells) {
  EXPECT_EQ(walk({64, 64}).shape, Shape::kUnknown);
  EXPECT_EQ(walk({64, 64}).step_bytes, std::nullopt);
  EXPECT_EQ(walk({}, AddressSource::kChased).shape, Shape::kPointerChase);
}

// The step between misses is one line, while accesses advance by 8 bytes.
TEST(LineCoverage, ASequentialWalkUsesAllThatItsAccessesCover) {
  symbol::AddressFacts sum{.source = symbol::AddressSource::kCounted, .step_bytes = 8, .near = {{0, 8}}};
  EXPECT_EQ(coverage_of(sum, 64)->used_bytes, 64u);
  EXPECT_EQ(coverage_of(sum, 64)->step_bytes, 8);
  symbol::AddressFacts backwards{
      .source = symbol::AddressSource::kCounted, .step_bytes = -4, .near = {{0, 4}}};
  EXPECT_EQ(coverage_of(backwards, 64)->used_bytes, 64u);
  symbol::AddressFacts unrolled{.source = symbol::AddressSource::kCounted,
                                .step_bytes = 32,
                                .near = {{0, 8}, {8, 8}, {16, 8}, {24, 8}}};
  EXPECT_EQ(coverage_of(unrolled, 64)->used_bytes, 64u);
  symbol::AddressFacts wide{
      .source = symbol::AddressSource::kCounted, .step_bytes = 64, .near = {{0, 32}, {32, 32}}};
  EXPECT_EQ(coverage_of(wide, 64)->used_bytes, 64u);
}

TEST(LineCoverage, WhatIsPassedOverIsNotUsed) {
  symbol::AddressFacts records{.source = symbol::AddressSource::kCounted, .step_bytes = 32, .near = {{0, 8}}};
  EXPECT_EQ(coverage_of(records, 64)->used_bytes, 16u);
  symbol::AddressFacts column{.source = symbol::AddressSource::kCounted,
                              .step_bytes = 8192,
                              .near = {{0, 8}, {60, 8}, {128, 8}, {-8, 8}}};
  EXPECT_EQ(coverage_of(column, 64)->used_bytes, 12u);
  EXPECT_EQ(coverage_of({.source = symbol::AddressSource::kChased}, 64), std::nullopt);
  EXPECT_EQ(coverage_of({.source = symbol::AddressSource::kFixed, .step_bytes = 0, .near = {{0, 8}}}, 64),
            std::nullopt);
}

}  // namespace
}  // namespace hm::cause
