// SPDX-License-Identifier: MIT
#include "base/student_t.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(StudentT, IsTheTablesOrALittleMore) {
  EXPECT_DOUBLE_EQ(student_t(1), 12.706);
  EXPECT_DOUBLE_EQ(student_t(4), 2.776);
  EXPECT_NEAR(student_t(4.5), 2.66, 0.01);
  EXPECT_NEAR(student_t(35), 2.030, 0.001);
  EXPECT_DOUBLE_EQ(student_t(1e9), 1.984);
  EXPECT_DOUBLE_EQ(student_t(0.5), 12.706);
}

}  // namespace
}  // namespace hm
