// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/address_sources.h"

#include <gtest/gtest.h>

#include <vector>

namespace hm::soft {
namespace {

TEST(AddressSources, AreFoundBySite) {
  std::vector<AddressSources> entries(AddressSourceTable::kEntries);
  AddressSourceTable table(entries.data());
  EXPECT_EQ(table.find(0x5000), nullptr);
  table.add({0x5000, {0x4000, 0x4800}});
  ASSERT_NE(table.find(0x5000), nullptr);
  EXPECT_EQ(table.find(0x5000)->from[1], 0x4800u);
  table.add({0x5000, {0x4100}});
  EXPECT_EQ(table.find(0x5000)->from[0], 0x4100u);
  EXPECT_EQ(table.find(0x5000)->from[1], 0u);
  EXPECT_EQ(AddressSourceTable().find(0x5000), nullptr) << "a table without memory";
}

TEST(MissedSites, GiveTheLatestOfTheSources) {
  MissedSites missed;
  missed.remember(0x4000, 700);
  missed.remember(0x4800, 500);
  EXPECT_EQ(missed.complete_of({0x5000, {0x4800, 0x4000}}), 700u);
  EXPECT_EQ(missed.complete_of({0x5000, {0x4800}}), 500u);
  EXPECT_EQ(missed.complete_of({0x5000, {0x4900}}), 0u);
  missed.remember(0x4800, 900);
  EXPECT_EQ(missed.complete_of({0x5000, {0x4800, 0x4000}}), 900u);
}

}  // namespace
}  // namespace hm::soft
