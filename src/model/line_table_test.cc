// SPDX-License-Identifier: MIT
#include "model/line_table.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

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

// node maps pieces of 256 KiB at addresses anywhere.
TEST(LineTable, TakesLittleMemoryForPiecesThatLieFarApart) {
  InStorage<LineTable<uint32_t>> table(&counted_memory);
  std::mt19937_64 random(2);
  constexpr uint64_t kPieces = 1000;
  g_taken = 0;
  for (uint64_t i = 0; i < kPieces; ++i) ASSERT_NE(table.object.of(random_line(random)), nullptr);
  EXPECT_LE(g_taken, kPieces * 32 * 1024);
}

}  // namespace
}  // namespace hm::model
