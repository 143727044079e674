// SPDX-License-Identifier: MIT
#include "pmu/rdt/pqos_counter.h"

#include <gtest/gtest.h>

namespace hm::rdt {
namespace {

constexpr PqosEvent kNarrow{.number = 2, .bits = 24, .bytes = 64};
constexpr PqosEvent kWide{.number = 3, .bits = 44, .bytes = 64};

TEST(PqosTotal, BeginsWithTheFirstCount) {
  PqosTotal total;
  EXPECT_EQ(total.counts(), 0U);
  total.add(1000, kNarrow);
  EXPECT_EQ(total.counts(), 0U);
  total.add(1005, kNarrow);
  EXPECT_EQ(total.counts(), 5U);
  total.add(1005, kNarrow);
  EXPECT_EQ(total.counts(), 5U);
}

TEST(PqosTotal, GoesOnWhereTheCounterStartsAgain) {
  PqosTotal total;
  total.add(0xFFFFFF, kNarrow);
  total.add(4, kNarrow);
  EXPECT_EQ(total.counts(), 5U);
  total.add(3, kNarrow);
  EXPECT_EQ(total.counts(), 5U + (1U << 24) - 1);
}

TEST(IsPqosReadError, IsTheSelectionOfEventAndId) {
  uint64_t selection = uint64_t{7} << 32 | 3;
  EXPECT_TRUE(is_pqos_read_error(selection, 7, kWide));
  EXPECT_FALSE(is_pqos_read_error(selection, 6, kWide));
  EXPECT_FALSE(is_pqos_read_error(selection + 1, 7, kWide));
  EXPECT_FALSE(is_pqos_read_error(0, 7, kWide));
}

TEST(IsPqosReadError, IsTheSelectionLessOnePeriodOfANarrowCounter) {
  uint64_t selection = uint64_t{1} << 32 | 2;
  EXPECT_TRUE(is_pqos_read_error(selection - (1U << 24), 1, kNarrow));
  EXPECT_FALSE(is_pqos_read_error(selection - 2 * (1U << 24), 1, kNarrow));
}

}  // namespace
}  // namespace hm::rdt
