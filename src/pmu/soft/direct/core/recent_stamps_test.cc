// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/recent_stamps.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::soft::direct {
namespace {

// Near the two ends of the window and of the range of stamps, one by one.
TEST(RecentStamps, AreThoseWithinTheWindow) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    TouchStamp now =
        random() % 3 == 0 ? static_cast<TouchStamp>(random() % 8) : static_cast<TouchStamp>(random());
    auto window = static_cast<uint32_t>(random() % 2 == 0 ? random() % 100 : random() >> 3);
    TouchStamp stamps[kStampsAtOnce + 1];
    for (TouchStamp& stamp : stamps)
      stamp = random() % 2 == 0 ? now - window + static_cast<TouchStamp>(random() % 5) - 2
                                : now + static_cast<TouchStamp>(random() % 5) - 2;
    const TouchStamp* first = stamps + random() % 2;  // rows need not be aligned
    unsigned expected = 0;
    for (unsigned i = 0; i < kStampsAtOnce; ++i) expected |= (now - first[i] <= window ? 1u : 0u) << i;
    ASSERT_EQ(recent_stamps(first, now, window), expected) << now << ", " << window;
  }
}

}  // namespace
}  // namespace hm::soft::direct
