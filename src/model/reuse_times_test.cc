// SPDX-License-Identifier: MIT
#include "model/reuse_times.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

#include "model/test_storage.h"

namespace hm::model {
namespace {

TEST(ReuseClasses, AreTwoToAPowerOfTwo) {
  for (uint64_t begin : {1, 2, 3, 4, 6, 8, 12, 16, 24})
    EXPECT_EQ(reuse_class_begin(reuse_class(begin)), begin);
  for (uint32_t i = 0; i < kReuseClasses; ++i) {
    EXPECT_EQ(reuse_class(reuse_class_begin(i)), i);
    if (i + 1 < kReuseClasses) {
      EXPECT_EQ(reuse_class(reuse_class_begin(i + 1) - 1), i);
    }
  }
  EXPECT_EQ(reuse_class(UINT64_MAX), kReuseClasses - 1);
}

constexpr SizeRange kRange{1, 1, 2};

// Lines with very different reuse times.
std::vector<uint64_t> make_lines(size_t count, uint64_t most) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> lines(count);
  for (uint64_t& line : lines) {
    uint64_t octave = random() % 16;
    line = random() % std::min(most, uint64_t{1} << octave);
  }
  return lines;
}

struct Counted {
  std::unique_ptr<ReuseCounts> counts = std::make_unique<ReuseCounts>();
  std::map<uint32_t, uint64_t> expected;  // by time class, of all accesses
};

// The depth passed to note() is the line's lowest bit.
Counted count(const std::vector<uint64_t>& lines, uint64_t period) {
  Counted counted;
  InStorage<ReuseTimes> times(period);
  std::map<uint64_t, uint64_t> last;
  for (uint64_t i = 0; i < lines.size(); ++i) {
    if (times.object.advance(lines[i]))
      times.object.note(lines[i], 1, [&](uint32_t) { return lines[i] & 1; });
    auto [found, is_first] = last.try_emplace(lines[i], i);
    if (!is_first) ++counted.expected[reuse_class(i - found->second)];
    found->second = i;
  }
  times.object.move_to(*counted.counts, kRange);
  return counted;
}

TEST(ReuseTimes, OfAllAccessesAreThoseThatAnObviousCountFinds) {
  std::vector<uint64_t> lines = make_lines(100'000, 5000);
  Counted counted = count(lines, 1);
  for (uint32_t time = 0; time < kReuseClasses; ++time) {
    const auto& of = counted.counts->of[time][0];
    EXPECT_EQ(of[0] + of[1], counted.expected[time]) << time;
  }
}

// More lines are used than can be watched, so that fewer accesses are chosen over time.
TEST(ReuseTimes, OfSomeAccessesAreEstimates) {
  std::vector<uint64_t> lines = make_lines(2'000'000, uint64_t{1} << 15);
  Counted counted = count(lines, 8);
  for (const auto& [time, expected] : counted.expected) {
    if (expected < 20'000) continue;
    const auto& of = counted.counts->of[time][0];
    EXPECT_NEAR(static_cast<double>(of[0] + of[1]) * 8 / static_cast<double>(expected), 1, 0.15) << time;
  }
}

TEST(ReuseTimes, AreMovedOnce) {
  InStorage<ReuseTimes> times(uint64_t{1});
  ReuseCounts counts;
  for (int i = 0; i < 3; ++i) {
    if (times.object.advance(7)) times.object.note(7, 1, [](uint32_t) { return 1; });
  }
  times.object.move_to(counts, kRange);
  times.object.move_to(counts, kRange);
  EXPECT_EQ(counts.of[0][0][1], 2u);
}

}  // namespace
}  // namespace hm::model
