// SPDX-License-Identifier: MIT
#include "model/line_table.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>
#include <unordered_set>

#include "model/reference_models.h"
#include "model/test_storage.h"

namespace hm::model {
namespace {

uint64_t g_taken = 0;  // bytes

void* counted_memory(uint64_t bytes) {
  g_taken += bytes;
  return reference::kept_memory(bytes);
}

uint64_t random_line(std::mt19937_64& random) { return random() % (uint64_t{1} << kLineNumberBits); }

TEST(LineTable, KeepsAValueForEveryLine) {
  InStorage<LineTable<uint32_t>> table(&counted_memory);
  InStorage<LineCursor<uint32_t>> cursor(&counted_memory);
  std::unordered_map<uint64_t, uint32_t> expected;
  std::mt19937_64 random(1);
  for (uint32_t i = 1; i < 2000; ++i) {
    uint64_t line = i % 2 == 0 ? random_line(random) : random() % 100000;
    EXPECT_EQ(*table.object.of(line), expected[line]);
    EXPECT_EQ(*cursor.object.of(line), expected[line]);
    *table.object.of(line) = *cursor.object.of(line) = expected[line] = i;
  }
  for (const auto& [line, value] : expected) {
    EXPECT_EQ(*table.object.find(line), value);
    EXPECT_EQ(*cursor.object.of(line), value);
  }
  EXPECT_EQ(table.object.of(uint64_t{1} << kLineNumberBits), nullptr) << "not in user address space";
  uint64_t sum = 0, expected_sum = 0;
  table.object.for_each([&](uint32_t& value) { sum += value; });
  for (const auto& [line, value] : expected) expected_sum += value;
  EXPECT_EQ(sum, expected_sum);
}

// node maps pieces of 256 KiB at addresses all over the address space.
TEST(LineTable, TakesLittleMemoryForPiecesThatLieFarApart) {
  InStorage<LineTable<uint32_t>> table(&counted_memory);
  std::mt19937_64 random(2);
  constexpr uint64_t kPieces = 1000;
  g_taken = 0;
  for (uint64_t i = 0; i < kPieces; ++i) ASSERT_NE(table.object.of(random_line(random)), nullptr);
  EXPECT_LE(g_taken, kPieces * 32 * 1024);
}

TEST(LineTable, GivesWhatStoodForUnusedLinesToOthers) {
  constexpr uint64_t kLeafLines = LineTable<uint32_t>::kLeafLines, kLeaves = 1000;
  InStorage<LineCursor<uint32_t>> cursor(&counted_memory);
  LineCursor<uint32_t>& table = cursor.object;
  for (uint64_t i = 0; i < 2 * kLeaves; ++i) *table.of(i * kLeafLines) = static_cast<uint32_t>(i + 1);
  EXPECT_TRUE(table.table().has_grown());
  const auto is_used = [](uint64_t first, uint64_t count) { return first + count <= kLeaves * kLeafLines; };
  std::unordered_set<uint32_t> forgotten;
  table.forget_unused(is_used, [&](uint32_t value) { forgotten.insert(value); });
  EXPECT_EQ(forgotten.size(), kLeaves + 1) << "their values, and 0";
  EXPECT_EQ(forgotten.count(kLeaves), 0u);
  EXPECT_FALSE(table.table().has_grown());
  g_taken = 0;
  for (uint64_t i = 0; i < kLeaves; ++i) {
    EXPECT_EQ(*table.of(i * kLeafLines), i + 1);
    uint32_t* other = table.of((4 * kLeaves + i) * kLeafLines);
    EXPECT_EQ(*other, 0u);
    *other = 7;
  }
  EXPECT_LE(g_taken, 64u << 10) << "leaves are there already";
  EXPECT_EQ(*table.of(kLeaves * kLeafLines), 0u);
}

}  // namespace
}  // namespace hm::model
