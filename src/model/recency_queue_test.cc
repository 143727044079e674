// SPDX-License-Identifier: MIT
// Compares the victim with the way that has the earliest last use.
#include "model/recency_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hm::model {
namespace {

// Uses ways at random, some far more often than others, but reports only victims to the queue.
void compare(uint32_t ways, unsigned seed) {
  SCOPED_TRACE(ways);
  std::mt19937 random(seed);
  std::vector<uint64_t> keys(RecencyQueue::room(ways));
  std::vector<uint64_t> last_use(ways, 0);
  RecencyQueue queue;
  queue.clear(keys.data(), ways);
  uint64_t now = 0;
  for (int step = 0; step < 20000; ++step) {
    for (unsigned uses = random() % 4; uses > 0; --uses) {
      uint32_t bound = 1 + static_cast<uint32_t>(random() % ways);
      last_use[random() % bound] = ++now;
    }
    uint32_t victim = queue.take_victim([&](uint32_t way) { return last_use[way]; });
    auto least = static_cast<uint32_t>(std::ranges::min_element(last_use) - last_use.begin());
    ASSERT_EQ(victim, least) << "step " << step;
    last_use[victim] = ++now;
    queue.append(victim, now);
  }
}

TEST(RecencyQueue, VictimsAreTheLeastRecent) {
  for (uint32_t ways : {1u, 2u, 3u, 4u, 6u, 16u, 72u, 1024u}) ASSERT_NO_FATAL_FAILURE(compare(ways, ways));
}

TEST(RecencyQueue, NeverUsedWaysGoFirstInTheirOrder) {
  std::vector<uint64_t> keys(RecencyQueue::room(3));
  RecencyQueue queue;
  queue.clear(keys.data(), 3);
  for (uint32_t way : {0u, 1u, 2u}) {
    EXPECT_EQ(queue.take_victim([](uint32_t) { return 0; }), way);
    queue.append(way, way + 1);
  }
}

}  // namespace
}  // namespace hm::model
