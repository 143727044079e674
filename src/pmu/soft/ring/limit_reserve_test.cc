// SPDX-License-Identifier: MIT
#include "pmu/soft/ring/limit_reserve.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace hm::soft {
namespace {

TEST(LimitReserve, IsAboveAFiniteLimit) {
  EXPECT_EQ(with_reserve(uint64_t{0}), kLimitReserve);
  EXPECT_EQ(with_reserve(uint64_t{500} << 20), kLimitReserve + (uint64_t{500} << 20));
  EXPECT_EQ(with_reserve(kNoLimit), kNoLimit);
}

TEST(LimitReserve, IsThereOnce) {
  for (uint64_t limit : {uint64_t{0}, uint64_t{1} << 30, kNoLimit}) {
    EXPECT_EQ(with_reserve(with_reserve(limit)), with_reserve(limit));
    EXPECT_EQ(without_reserve(with_reserve(limit)), limit);
    EXPECT_EQ(without_reserve(limit), limit);
  }
}

TEST(LimitReserve, IsOfTheKernelsNumbers) {
  EXPECT_EQ(kNoLimit, RLIM_INFINITY);
  EXPECT_EQ(kDataLimit, static_cast<uint32_t>(RLIMIT_DATA));
  EXPECT_EQ(kAddressSpaceLimit, static_cast<uint32_t>(RLIMIT_AS));
  EXPECT_FALSE(is_reserved_limit(RLIMIT_STACK));
}

}  // namespace
}  // namespace hm::soft
