// SPDX-License-Identifier: MIT
// For every modelled number of ways, and both widths of tags: compares depth and victim with a plain list.
#include "model/lru_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "model/test_storage.h"

namespace hm::model {
namespace {

template <typename Tag>
void compare(uint32_t ways) {
  constexpr uint32_t kSets = 3;
  constexpr Tag kEmpty = LruSets<Tag>::kEmpty;
  InStorage<LruSets<Tag>> owned(SetGeometry{kSets, ways});
  std::vector<std::vector<Tag>> slow(kSets, std::vector<Tag>(ways, kEmpty));
  std::mt19937_64 random(ways);
  for (uint32_t step = 0; step < 500 + 60 * ways; ++step) {
    auto set = static_cast<uint32_t>(random() % kSets);
    // Both halves of a wide tag are used; a tag with all bits but one differs from the empty tag.
    Tag tag = random() % 16 == 0 ? static_cast<Tag>(kEmpty - 1) : static_cast<Tag>(random() % (2 * ways));
    if (sizeof(Tag) == 8 && random() % 2 == 0) tag |= static_cast<Tag>(Tag{1} << (sizeof(Tag) * 8 - 3));
    std::vector<Tag>& row = slow[set];
    auto found = std::ranges::find(row, tag);
    auto depth = static_cast<uint32_t>(found - row.begin());
    Tag evicted = found == row.end() ? row.back() : kEmpty;
    row.erase(found == row.end() ? row.end() - 1 : found);
    row.insert(row.begin(), tag);
    Touch<Tag> touch = owned.object.touch(set, tag);
    ASSERT_EQ(touch.position, depth) << ways << " ways, step " << step;
    ASSERT_EQ(touch.evicted, evicted) << ways << " ways, step " << step;
  }
}

TEST(LruSets, NarrowTagsAgreeWithAPlainList) {
  for (uint32_t ways = 1; ways <= kMaxCacheWays; ++ways) ASSERT_NO_FATAL_FAILURE(compare<uint32_t>(ways));
}

TEST(LruSets, WideTagsAgreeWithAPlainList) {
  for (uint32_t ways = 1; ways <= kMaxCacheWays; ++ways) ASSERT_NO_FATAL_FAILURE(compare<uint64_t>(ways));
}

TEST(LruSets, StartEmpty) {
  InStorage<LruSets<uint64_t>> owned(SetGeometry{4, 8});
  for (uint64_t tag = 0; tag < 8; ++tag) {
    Touch<uint64_t> touch = owned.object.touch(2, tag);
    EXPECT_EQ(touch.position, 8u);
    EXPECT_EQ(touch.evicted, LruSets<uint64_t>::kEmpty);
  }
  EXPECT_EQ(owned.object.touch(2, 8).evicted, 0u);
}

}  // namespace
}  // namespace hm::model
