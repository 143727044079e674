// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/activation.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

constexpr uint64_t kActivation = 0x7000;
constexpr SignalStackRange kNone{0, 0};

TEST(Activation, EndsAboveItsFrame) {
  EXPECT_FALSE(has_left(kActivation, kActivation - 8, kNone));
  EXPECT_FALSE(has_left(kActivation, kActivation, kNone));
  EXPECT_TRUE(has_left(kActivation, kActivation + 8, kNone));
  EXPECT_FALSE(has_left(kNoActivation, kActivation, kNone));
}

TEST(Activation, GoesOnInHandlersOnAStackOfTheirOwn) {
  for (uint64_t start : {uint64_t{0x1000}, uint64_t{0x9000}}) {
    SignalStackRange stack{start, 0x1000};
    EXPECT_FALSE(has_left(kActivation, start + 0x800, stack));
    EXPECT_FALSE(has_left(kNoActivation, start + 0x800, stack));
    EXPECT_TRUE(has_left(kActivation, kActivation + 8, stack));
  }
}

TEST(Activation, OfAHandlerEndsWithIt) {
  for (uint64_t start : {uint64_t{0x1000}, uint64_t{0x9000}}) {
    SignalStackRange stack{start, 0x1000};
    uint64_t activation = start + 0x800;
    EXPECT_FALSE(has_left(activation, activation - 8, stack));
    EXPECT_TRUE(has_left(activation, activation + 8, stack));
    EXPECT_TRUE(has_left(activation, kActivation, stack)) << "left by siglongjmp";
  }
}

}  // namespace
}  // namespace hm::soft
