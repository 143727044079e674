// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/loaded_addresses.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace hm::soft {
namespace {

class LoadedAddressesTest : public testing::Test {
 protected:
  uint64_t complete_of_source(uint64_t address, uint64_t now = 0) {
    return loaded_.complete_of_source(address, now, [this](uint64_t line, uint64_t* words) {
      auto found = memory_.find(line);
      if (found == memory_.end()) return false;
      for (uint64_t i = 0; i < kWordsOfLine; ++i) words[i] = found->second[i];
      return true;
    });
  }

  LoadedAddresses loaded_;
  std::map<uint64_t, std::vector<uint64_t>> memory_;  // lines, by address
};

TEST_F(LoadedAddressesTest, FindTheNextNodeOfAList) {
  memory_[0x10000] = {7, 0x20040, 0, 0, 0, 0, 0, 0};
  memory_[0x20040] = {8, 0x90000, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(complete_of_source(0x10008), 0u);
  loaded_.remember(0x10000, 100);  // the value; the pointer is in the same line
  EXPECT_EQ(complete_of_source(0x20040), 100u);
  loaded_.remember(0x20040, 105);
  EXPECT_EQ(complete_of_source(0x90018), 105u) << "a field";
  EXPECT_EQ(complete_of_source(0x8ffe0), 105u) << "a header before the object";
  EXPECT_EQ(complete_of_source(0xa0000), 0u);
}

TEST_F(LoadedAddressesTest, AreNoMatterOnceTheLoadIsComplete) {
  memory_[0x10000] = {0x30000, 0, 0, 0, 0, 0, 0, 0};
  loaded_.remember(0x10000, 100);
  EXPECT_EQ(complete_of_source(0x30000, 99), 100u);
  EXPECT_EQ(complete_of_source(0x30000, 100), 0u);
}

TEST_F(LoadedAddressesTest, ReadALineAfterItsLoadOnly) {
  loaded_.remember(0x10000, 100);
  memory_[0x10000] = {0x30000, 0, 0, 0, 0, 0, 0, 0};  // written before the next miss
  EXPECT_EQ(complete_of_source(0x30000), 100u);
  memory_[0x10000] = {0x40000, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(complete_of_source(0x40000), 0u) << "the load has been executed";
}

TEST_F(LoadedAddressesTest, ForgetOldLoadsAndUnreadableLines) {
  memory_[0x10000] = {0x30000, 0, 0, 0, 0, 0, 0, 0};
  loaded_.remember(0x10000, 100);
  EXPECT_EQ(complete_of_source(0x30000), 100u);
  for (uint64_t i = 0; i < 8; ++i) {
    loaded_.remember(0x50000 + 64 * i, 200 + i);
    EXPECT_EQ(complete_of_source(0x77000), 0u);
  }
  EXPECT_EQ(complete_of_source(0x30000), 0u);
}

}  // namespace
}  // namespace hm::soft
