// SPDX-License-Identifier: MIT
#include "pmu/soft/ring/decimal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace hm::soft {
namespace {

TEST(Decimal, WritesAllDigitsAndNoMore) {
  for (uint64_t number : {uint64_t{0}, uint64_t{7}, uint64_t{10}, uint64_t{4294967296}, UINT64_MAX}) {
    char text[kMaxDecimalDigits + 1];
    std::fill(std::begin(text), std::end(text), '#');
    char* end = write_decimal(text, number);
    EXPECT_EQ(std::string(text, end), std::to_string(number));
    EXPECT_EQ(*end, '#');
  }
}

}  // namespace
}  // namespace hm::soft
