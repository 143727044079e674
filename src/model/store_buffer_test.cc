// SPDX-License-Identifier: MIT
#include "model/store_buffer.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

namespace hm::model {
namespace {

using Match = StoreBuffer::Match;

// Compares byte by byte the bytes that stores wrote with those that a load reads.
class SlowStoreBuffer {
 public:
  void store(uint64_t address, uint32_t bytes, uint64_t instruction) {
    stores_.push_front({address, bytes, instruction});
    if (stores_.size() > StoreBuffer::kEntries) stores_.pop_back();
  }

  [[nodiscard]] Match load(uint64_t address, uint32_t bytes, uint64_t instruction) const {
    for (const Store& each : stores_) {
      if (instruction > each.instruction + StoreBuffer::kLifetimeInstructions) return Match::kNothing;
      size_t common = 0;
      bool alias = false;
      for (uint64_t byte = address; byte < address + bytes; ++byte) {
        if (byte >= each.address && byte < each.address + each.bytes) ++common;
        // Both are relative to the start of their page: the comparators see 12 bits of each address and the
        // sizes.
        uint64_t low = (address & 4095) + (byte - address);
        uint64_t start = each.address & 4095;
        alias = alias || (low >= start && low < start + each.bytes);
      }
      if (common != 0) return common == bytes ? Match::kForwarded : Match::kBlocked;
      if (alias) return Match::kAlias;
    }
    return Match::kNothing;
  }

 private:
  struct Store {
    uint64_t address;
    uint32_t bytes;
    uint64_t instruction;
  };
  std::deque<Store> stores_;
};

TEST(StoreBuffer, AgreesWithTheSlowOne) {
  StoreBuffer fast;
  SlowStoreBuffer slow;
  std::mt19937_64 random(9);
  std::set<Match> met;
  uint64_t instruction = 0;
  for (int i = 0; i < 200000; ++i) {
    instruction += random() % 4 == 0 ? random() % 40 : 1;
    uint64_t address = 0x7fff0000 + random() % 4 * 4096 + random() % 512;
    auto bytes = static_cast<uint32_t>(1u << random() % 6);
    if (random() % 3 == 0) {
      fast.store(address, bytes, instruction);
      slow.store(address, bytes, instruction);
    } else {
      Match match = slow.load(address, bytes, instruction);
      ASSERT_EQ(fast.load(address, bytes, instruction), match) << "at step " << i;
      met.insert(match);
    }
  }
  EXPECT_EQ(met.size(), 4u);
}

TEST(StoreBuffer, TheYoungestStoreDecides) {
  StoreBuffer buffer;
  buffer.store(0x1000, 8, 1);
  buffer.store(0x1000, 4, 2);
  EXPECT_EQ(buffer.load(0x1000, 8, 3), Match::kBlocked);
  buffer.store(0x1000, 8, 4);
  EXPECT_EQ(buffer.load(0x1000, 8, 5), Match::kForwarded);
}

TEST(StoreBuffer, OldStoresHaveLeft) {
  StoreBuffer buffer;
  buffer.store(0x1000, 4, 1);
  EXPECT_EQ(buffer.load(0x1000, 8, 1 + StoreBuffer::kLifetimeInstructions), Match::kBlocked);
  EXPECT_EQ(buffer.load(0x1000, 8, 2 + StoreBuffer::kLifetimeInstructions), Match::kNothing);
}

TEST(StoreBuffer, HoldsSoManyStores) {
  StoreBuffer buffer;
  buffer.store(0x1000, 4, 1);
  for (uint64_t i = 1; i < StoreBuffer::kEntries; ++i) buffer.store(0x2000 + 64 * (i % 32) + 32, 4, 1);
  EXPECT_EQ(buffer.load(0x1000, 8, 1), Match::kBlocked);
  buffer.store(0x2020, 4, 1);
  EXPECT_EQ(buffer.load(0x1000, 8, 1), Match::kNothing);
}

}  // namespace
}  // namespace hm::model
