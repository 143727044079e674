// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/bit_levels.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>

namespace hm::soft {
namespace {

template <uint32_t kBits>
void compare_with_a_set(uint32_t steps, uint32_t spread) {
  auto levels = std::make_unique<BitLevels<kBits>>();
  std::set<uint32_t> expected;
  std::mt19937 random(kBits);
  for (uint32_t i = 0; i < steps; ++i) {
    auto bit = static_cast<uint32_t>(random() % spread) * (kBits / spread);
    auto asked = static_cast<uint32_t>(random() % kBits);
    if (random() % 2 == 0) {
      levels->set(bit);
      expected.insert(bit);
    } else {
      levels->clear(bit);
      expected.erase(bit);
    }
    EXPECT_EQ(levels->has(bit), expected.contains(bit));
    auto above = expected.lower_bound(asked);
    EXPECT_EQ(levels->first_from(asked), above == expected.end() ? levels->kNone : *above);
    auto behind = expected.upper_bound(asked);
    EXPECT_EQ(levels->last_up_to(asked), behind == expected.begin() ? levels->kNone : *std::prev(behind));
  }
  EXPECT_EQ(levels->first_from(kBits), levels->kNone);
}

TEST(BitLevels, AreASet) {
  compare_with_a_set<64>(1000, 64);
  compare_with_a_set<128>(1000, 8);
  compare_with_a_set<4096>(5000, 4096);
  compare_with_a_set<8192>(5000, 16);
  compare_with_a_set<1u << 19>(5000, 32);
  compare_with_a_set<1u << 19>(5000, 1u << 19);
}

}  // namespace
}  // namespace hm::soft
