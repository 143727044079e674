// SPDX-License-Identifier: MIT
#include "model/evicted_lines.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace hm::model {
namespace {

class LeftOf {
 public:
  explicit LeftOf(uint64_t entries) : storage_(64 * entries + 512) {
    Arena arena(
        reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(storage_.data()) + 63) & ~uintptr_t{63}));
    lines = EvictedLines(entries, arena);
  }
  EvictedLines lines;

 private:
  std::vector<uint64_t> storage_;
};

constexpr auto kAll = [](uint64_t) { return true; };

TEST(EvictedLines, RemembersLastUses) {
  LeftOf left(4);
  left.lines.add(10, 100, 101);
  left.lines.add(11, 90, 102);
  left.lines.add(10, 103, 104);
  EXPECT_EQ(left.lines.last_use(10), 103u);
  EXPECT_EQ(left.lines.last_use(11), 90u);
  EXPECT_EQ(left.lines.last_use(12), 0u);
  EXPECT_EQ(left.lines.count_between(89, 0, 103, 9, kAll), 1u);
  EXPECT_EQ(left.lines.count_between(89, 0, 104, 9, kAll), 2u);
  EXPECT_EQ(left.lines.count_between(89, 0, 104, 1, kAll), 1u);
}

// Bursts report uses late, in order only roughly: all these lines were used before their generation began.
TEST(EvictedLines, HoldsAnyNumberOfLinesThatWereUsedEarlier) {
  constexpr uint64_t kEntries = 16, kBegan = 1'000'000;
  LeftOf left(kEntries);
  for (uint64_t line = 0; line < kEntries; ++line) left.lines.add(line, kBegan - kEntries + line, kBegan);
  for (uint64_t line = 100; line < 10'100; ++line) {
    left.lines.add(line, line, kBegan + line);
    ASSERT_EQ(left.lines.last_use(line), line);
  }
  EXPECT_EQ(left.lines.last_use(100), 0u);
}

// A line may only be dropped after as many other lines were used as the cache has entries, whatever the cache
// did.
TEST(EvictedLines, ForgetsOnlyWhatIsOutOfAFullyAssociativeCache) {
  constexpr uint64_t kEntries = 16;
  LeftOf left(kEntries);
  std::map<uint64_t, uint64_t> last_use;   // of all lines
  std::map<uint64_t, uint64_t> left_with;  // of lines that left
  std::mt19937 random(5);
  uint64_t now = 1;
  int forgotten = 0;
  for (int step = 0; step < 2000; ++step) {
    uint64_t line = random() % 3 == 0 ? random() % 1000 : random() % 24;
    last_use[line] = ++now;
    if (random() % 2 == 0) {
      left.lines.add(line, now, now + 1);
      left_with[line] = now;
    }
    for (uint64_t asked = 0; asked < 24; ++asked) {
      if (left_with.count(asked) == 0) continue;
      uint64_t remembered = left.lines.last_use(asked);
      if (remembered != 0) {
        ASSERT_EQ(remembered, left_with[asked]);
        continue;
      }
      ++forgotten;
      uint64_t used_since = 0;
      for (const auto& [other, use] : last_use) used_since += use > left_with[asked] ? 1 : 0;
      ASSERT_GE(used_since, kEntries) << "at step " << step;
    }
  }
  EXPECT_GT(forgotten, 0);
}

// Generation numbers have 22 bits, and in a list of one entry each line begins a generation.
TEST(EvictedLines, KeepsItsLinesWhereNumbersOfGenerationsBeginAnew) {
  constexpr uint64_t kGenerations = uint64_t{1} << 22;
  LeftOf left(1);
  for (uint64_t i = 1; i < kGenerations + 100; ++i) {
    left.lines.add(i % 7, 2 * i, 2 * i + 1);
    if (i + 100 < kGenerations) continue;
    ASSERT_EQ(left.lines.last_use(i % 7), 2 * i);
    ASSERT_EQ(left.lines.last_use((i + 1) % 7), 0u) << "of six generations ago";
  }
}

TEST(EvictedLines, NeverFillsUp) {
  LeftOf left(8);
  for (uint64_t line = 0; line < 10000; ++line) left.lines.add(line, line + 1, line + 2);
  EXPECT_EQ(left.lines.last_use(9999), 10000u);
  EXPECT_EQ(left.lines.last_use(5), 0u);
}

}  // namespace
}  // namespace hm::model
