// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/stay.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

constexpr uint64_t kStay = 0x7000;
constexpr SignalStackRange kNone{0, 0};

TEST(Stay, EndsAboveItsFrame) {
  EXPECT_FALSE(has_left(kStay, kStay - 8, kNone));
  EXPECT_FALSE(has_left(kStay, kStay, kNone));
  EXPECT_TRUE(has_left(kStay, kStay + 8, kNone));
  EXPECT_FALSE(has_left(kNoStay, kStay, kNone));
}

TEST(Stay, GoesOnInHandlersOnAStackOfTheirOwn) {
  for (uint64_t start : {uint64_t{0x1000}, uint64_t{0x9000}}) {
    SignalStackRange stack{start, 0x1000};
    EXPECT_FALSE(has_left(kStay, start + 0x800, stack));
    EXPECT_FALSE(has_left(kNoStay, start + 0x800, stack));
    EXPECT_TRUE(has_left(kStay, kStay + 8, stack));
  }
}

TEST(Stay, OfAHandlerEndsWithIt) {
  for (uint64_t start : {uint64_t{0x1000}, uint64_t{0x9000}}) {
    SignalStackRange stack{start, 0x1000};
    uint64_t stay = start + 0x800;
    EXPECT_FALSE(has_left(stay, stay - 8, stack));
    EXPECT_TRUE(has_left(stay, stay + 8, stack));
    EXPECT_TRUE(has_left(stay, kStay, stack)) << "left by siglongjmp";
  }
}

}  // namespace
}  // namespace hm::soft
