// SPDX-License-Identifier: MIT
#include "model/tagged_pages.h"

#include <gtest/gtest.h>

#include <set>

namespace hm::model {
namespace {

constexpr unsigned kLineShift = 6, kPageShift = 12;
constexpr uint64_t kLarge = uint64_t{1} << kLargePageMark;

uint64_t page_at(uint64_t address) {
  return number_of_tagged_page(address >> kLineShift, kLineShift, kPageShift);
}

TEST(TaggedPages, OnlyAddressesBeyondThoseOfProgramsAreTagged) {
  EXPECT_FALSE(is_tagged_line(((uint64_t{1} << 47) - 1) >> kLineShift));
  EXPECT_FALSE(is_tagged_line(((uint64_t{1} << 48) - 1) >> kLineShift));
  EXPECT_TRUE(is_tagged_line((uint64_t{1} << 48) >> kLineShift));
  EXPECT_TRUE(is_tagged_line(kLarge >> kLineShift));
}

// A TLB of 16 sets keeps 36 bits of a number.
TEST(TaggedPages, OneAddressInManySpacesIsManyPages) {
  std::set<uint64_t> pages;
  for (uint64_t space = 1; space < 1000; ++space) {
    uint64_t page = page_at(space << 48 | 0x7fff'1234'5000);
    EXPECT_LT(page, uint64_t{1} << 36);
    EXPECT_EQ(page % 4096, 0x345u);  // the set is that of the address
    pages.insert(page);
  }
  EXPECT_EQ(pages.size(), 999u);
}

TEST(TaggedPages, LargePagesHaveOneNumber) {
  constexpr uint64_t kBytes = uint64_t{1} << kLargePageShift, kFirst = kLarge | 0x8880'0000'0000;
  EXPECT_EQ(page_at(kFirst), page_at(kFirst + kBytes - 1));
  EXPECT_NE(page_at(kFirst), page_at(kFirst + kBytes));
  EXPECT_NE(page_at(kFirst), page_at(0x1'0000'0000'0000 | 0x444'4000'0000));
}

}  // namespace
}  // namespace hm::model
