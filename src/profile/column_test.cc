// SPDX-License-Identifier: MIT
#include "profile/column.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::profile {
namespace {

using Plain = std::vector<std::optional<uint64_t>>;

Plain random_numbers(std::mt19937_64& random, size_t rows) {
  uint64_t kind = random() % 4;
  Plain plain(rows);
  for (auto& number : plain) {
    bool is_gap = kind == 0 || (kind == 1 && random() % 3 == 0);
    if (!is_gap) number = kind == 2 && random() % 8 == 0 ? random() : random() % 100;
  }
  return plain;
}

Column column_of(const Plain& plain) {
  Column column;
  for (size_t i = 0; i < plain.size(); ++i) {
    if (plain[i]) column.set(i, *plain[i]);
  }
  return column;
}

void expect_same(const Column& column, const Plain& plain) {
  for (size_t i = 0; i < plain.size() + 2; ++i) {
    EXPECT_EQ(column.at(i), i < plain.size() ? plain[i] : std::nullopt) << i;
  }
}

TEST(Column, KeepsNumbersAndGaps) {
  Column column;
  EXPECT_TRUE(column.empty());
  column.set(1, 5);
  column.set(2, UINT64_MAX);
  column.set(1, 7);
  expect_same(column, {std::nullopt, 7, UINT64_MAX});
}

TEST(Column, AppendsWhateverTheWidthsAndGaps) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    Plain whole;
    Column column;
    std::vector<Plain> parts;
    size_t rows = 0;
    for (uint64_t i = 0; i < 1 + random() % 4; ++i) {
      parts.push_back(random_numbers(random, random() % 20));
      rows += parts.back().size();
    }
    for (const Plain& part : parts) {
      column.append(column_of(part), whole.size(), rows);
      whole.insert(whole.end(), part.begin(), part.end());
    }
    expect_same(column, whole);
  }
}

}  // namespace
}  // namespace hm::profile
