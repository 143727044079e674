// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/touch_parts.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPart = 16u << 20, kTable = 200 * kPart;

class TouchParts : public testing::Test {
 protected:
  TouchParts() : core_(static_cast<Core*>(map_pages(kAll, kInaccessible))) {
    EXPECT_TRUE(make_accessible(core_, sizeof(Core)));
    EXPECT_TRUE(prepare_touch_table(*core_, kTable));
  }
  ~TouchParts() override { unmap_pages(core_, kAll); }

  [[nodiscard]] uint64_t at(uint64_t offset) {
    return reinterpret_cast<uint64_t>(touch_table(*core_)) + offset;
  }
  // Returns the offsets in the table of all accessible parts in [start, end).
  std::vector<std::pair<uint64_t, uint64_t>> open_in(uint64_t start, uint64_t end) {
    std::vector<std::pair<uint64_t, uint64_t>> found;
    for (Range each = first_open_part(*core_, at(start), at(end)); each.start < each.end;
         each = first_open_part(*core_, each.end, at(end)))
      found.emplace_back(each.start - at(0), each.end - at(0));
    return found;
  }

  static constexpr uint64_t kAll = kTouchTableOffset + kTable;
  Core* core_;
};

using Parts = std::vector<std::pair<uint64_t, uint64_t>>;

TEST_F(TouchParts, NoneIsAccessibleAtFirst) { EXPECT_EQ(open_in(0, kTable), Parts{}); }

TEST_F(TouchParts, AnOpenPartCanBeWrittenAndIsFound) {
  ASSERT_TRUE(open_touch_part(*core_, at(70 * kPart + 5)));
  *reinterpret_cast<TouchStamp*>(at(70 * kPart)) = 1;
  *reinterpret_cast<TouchStamp*>(at(71 * kPart - sizeof(TouchStamp))) = 1;
  EXPECT_EQ(open_in(0, kTable), (Parts{{70 * kPart, 71 * kPart}}));
}

TEST_F(TouchParts, AreFoundWithinARangeOnly) {
  for (uint64_t part : {0, 1, 63, 64, 199}) ASSERT_TRUE(open_touch_part(*core_, at(part * kPart)));
  EXPECT_EQ(open_in(0, kTable), (Parts{{0, kPart},
                                       {kPart, 2 * kPart},
                                       {63 * kPart, 64 * kPart},
                                       {64 * kPart, 65 * kPart},
                                       {199 * kPart, kTable}}));
  EXPECT_EQ(open_in(4096, 2 * kPart - 4096), (Parts{{4096, kPart}, {kPart, 2 * kPart - 4096}}));
  EXPECT_EQ(open_in(2 * kPart, 63 * kPart), Parts{});
  EXPECT_EQ(open_in(64 * kPart + 1, 64 * kPart + 2), (Parts{{64 * kPart + 1, 64 * kPart + 2}}));
  EXPECT_EQ(open_in(64 * kPart, 64 * kPart), Parts{});
}

// Otherwise the program would run out of mappings.
TEST_F(TouchParts, AreAllOpenIfThereWouldBeTooMany) {
  core_->open_touch_part_count = 8192;
  ASSERT_TRUE(open_touch_part(*core_, at(5 * kPart)));
  EXPECT_EQ(open_in(0, kTable).size(), kTable / kPart);
  *reinterpret_cast<TouchStamp*>(at(0)) = *reinterpret_cast<TouchStamp*>(at(kTable) - sizeof(TouchStamp)) = 1;
}

TEST_F(TouchParts, AddressesOutsideTheTableAreRefused) {
  EXPECT_FALSE(open_touch_part(*core_, at(0) - 1));
  EXPECT_FALSE(open_touch_part(*core_, at(kTable)));
  EXPECT_FALSE(open_touch_part(*core_, 0));
}

}  // namespace
}  // namespace hm::soft::direct
