// SPDX-License-Identifier: MIT
// Compares with plain lists; every use is stamped.
#include "model/stamped_sets.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "model/data_filter.h"
#include "model/reference_models.h"
#include "model/test_storage.h"

namespace hm::model {
namespace {

TEST(StampedSets, AgreeWithPlainLists) {
  for (SetGeometry geometry :
       {SetGeometry{64, 8}, {64, 12}, {16, 16}, {4, 24}, {3, 5}, {8, 1}, {2, 2}, {1, 32}}) {
    SCOPED_TRACE(testing::Message() << geometry.sets << " sets of " << geometry.ways);
    std::vector<CodePlace> places(StampedSets<CodePlace>::places(geometry));
    Storage storage;
    auto fast = storage.build<StampedSets<CodePlace>>(
        [&](Arena& arena) { return StampedSets(geometry, arena, places.data()); });
    reference::LruSets slow(geometry);
    std::mt19937 random(1);
    for (uint64_t step = 1; step < 100000; ++step) {
      uint64_t line = random() % (random() % 2 == 0 ? 16 : 3 * geometry.entries());
      uint32_t place = fast.find(line);
      ASSERT_EQ(place != StampedSets<CodePlace>::kNone, slow.access(line)) << "step " << step;
      if (place == StampedSets<CodePlace>::kNone) fast.put(place = fast.victim(line), line);
      ASSERT_EQ(fast.line_at(place), line);
      fast.stamp(place, step);
    }
  }
}

}  // namespace
}  // namespace hm::model
