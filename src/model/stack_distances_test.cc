// SPDX-License-Identifier: MIT
// Compares one pass over accesses with a simulation of each cache, and the required associativity with a
// plain count.
#include "model/stack_distances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "model/reference_models.h"
#include "model/required_associativity.h"
#include "model/test_storage.h"

namespace hm::model {
namespace {

// Streams like those of programs: walks, hot lines, jumps; in several stretches of the address space.
class Stream {
 public:
  explicit Stream(uint64_t seed) : random_(seed) {}
  uint64_t next() {
    if (left_ == 0) begin();
    --left_;
    line_ += step_;
    return base_ + (line_ % span_);
  }

 private:
  void begin() {
    static constexpr uint64_t kBases[] = {0x1000, 0x155'5555'0000, 0x1ff'ff00'0000, 0x1ff'fff0'0000};
    base_ = kBases[random_() % 4];
    span_ = uint64_t{1} << (random_() % 16);
    step_ = random_() % 3 == 0 ? 64 : random_() % 3;
    left_ = 1 + random_() % 200;
    line_ = random_() % span_;
  }

  std::mt19937_64 random_;
  uint64_t base_ = 0, span_ = 1, step_ = 0, left_ = 0, line_ = 0;
};

class AllSizes : public ::testing::TestWithParam<SizeRange> {};

TEST_P(AllSizes, HaveTheMissesOfEachSimulatedByItself) {
  const SizeRange& range = GetParam();
  InStorage<StackDistances> distances(range);
  struct Simulated {
    uint32_t set_count, ways;
    reference::LruSets cache;
    uint64_t misses = 0;
  };
  std::vector<Simulated> simulated;
  for (uint32_t i = 0; i < range.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= range.ways; ++ways)
      simulated.push_back({i, ways, reference::LruSets({range.sets(i), ways})});
  }

  Stream stream(range.min_sets + range.ways);
  for (int n = 0; n < 30000; ++n) {
    uint64_t line = stream.next();
    StackDistances::Depths depths;
    distances.object.access(line, n % 2 == 0 ? &depths : nullptr);
    for (Simulated& each : simulated) {
      bool hit = each.cache.access(line);
      each.misses += hit ? 0 : 1;
      if (n % 2 == 0) {
        ASSERT_EQ(depths.of[each.set_count] < each.ways, hit) << "access " << n;
      }
    }
  }
  for (const Simulated& each : simulated) {
    EXPECT_EQ(distances.object.counts().misses(each.set_count, each.ways), each.misses)
        << range.sets(each.set_count) << " sets, " << each.ways << " ways";
  }
  EXPECT_EQ(distances.object.counts().accesses, 30000u);
  EXPECT_EQ(distances.object.counts().unplaced, 0u);
}

INSTANTIATE_TEST_SUITE_P(, AllSizes,
                         ::testing::Values(SizeRange{1, 1, 32}, SizeRange{1, 6, 8}, SizeRange{4, 3, 5},
                                           SizeRange{128, 8, 16}),
                         [](const auto& each) {
                           return std::to_string(each.param.min_sets) + "x" +
                                  std::to_string(each.param.set_counts) + "x" +
                                  std::to_string(each.param.ways);
                         });

// Counts a middle part of the stream; the rest was only remembered, with each line's last use only.
TEST(StackDistances, RememberWhatWasUsedWhileNothingWasCounted) {
  SizeRange range{16, 6, 8};
  InStorage<StackDistances> all(range), some(range);
  Stream stream(11);
  std::map<uint64_t, uint64_t> last_uses;
  constexpr uint64_t kBefore = 200000, kCounted = 5000;
  for (uint64_t i = 0; i < kBefore; ++i) {
    uint64_t line = stream.next();
    all.object.count(line);
    last_uses[line] = i;
  }
  std::vector<std::pair<uint64_t, uint64_t>> in_order;
  in_order.reserve(last_uses.size());
  for (auto [line, last] : last_uses) in_order.emplace_back(last, line);
  std::ranges::sort(in_order);
  for (auto [last, line] : in_order) some.object.remember(line);
  EXPECT_EQ(some.object.counts().accesses, 0u);
  SizeCounts before = all.object.counts();
  for (uint64_t i = 0; i < kCounted; ++i) {
    uint64_t line = stream.next();
    all.object.count(line);
    some.object.count(line);
  }
  for (uint32_t i = 0; i < range.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= range.ways; ++ways)
      EXPECT_EQ(some.object.counts().misses(i, ways),
                all.object.counts().misses(i, ways) - before.misses(i, ways))
          << range.sets(i) << " sets, " << ways << " ways";
  }
}

TEST(StackDistances, SaysHowManyAccessesItHadNoNumbersFor) {
  InStorage<StackDistances> distances(SizeRange{1, 2, 4});
  constexpr uint64_t kStretch = uint64_t{1} << CompactNumbers::kStretchBits;
  for (uint64_t stretch = 0; stretch < 300; ++stretch) distances.object.access(stretch * kStretch);
  EXPECT_EQ(distances.object.counts().accesses, 255u);
  EXPECT_EQ(distances.object.counts().unplaced, 45u);
  EXPECT_EQ(distances.object.counts().misses(0, 4), 255u) << "each line was used once";
}

// Lines as programs use them: some often, arrays in order, many rarely.
std::vector<uint64_t> mixed_lines(size_t count) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> lines;
  uint64_t next = 1 << 20;
  while (lines.size() < count) {
    uint64_t kind = random() % 4;
    lines.push_back(kind == 0   ? random() % 300
                    : kind == 1 ? next++
                    : kind == 2 ? random() % 9000
                                : random() % 200000);
  }
  return lines;
}

TEST(StackDistances, OfSomeSetsAreThoseOfThemAlone) {
  SizeRange some{128, 5, 8, 0, 2}, whole{128, 5, 8};
  InStorage<StackDistances> sampled(some), alone(whole);
  uint64_t accesses = 0, simulated = 0;
  for (uint64_t line : mixed_lines(300000)) {
    StackDistances::Depths depths;
    sampled.object.access(line, &depths);
    ++accesses;
    if (!depths.simulated) continue;
    StackDistances::Depths same;
    alone.object.access(line, &same);
    ASSERT_TRUE(std::ranges::equal(depths.of, same.of));
    ++simulated;
  }
  EXPECT_EQ(sampled.object.counts().accesses, accesses);
  std::span<const SizeCounts> batches(sampled.object.batches(), kSizeBatches);
  for (uint32_t i = 0; i < some.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= some.ways; ++ways) {
      uint64_t misses = 0, of_batches = 0;
      for (const SizeCounts& batch : batches) {
        misses += batch.misses(i, ways);
        of_batches += batch.accesses;
        EXPECT_GT(batch.accesses, simulated / 20);
      }
      EXPECT_EQ(misses, alone.object.counts().misses(i, ways));
      EXPECT_EQ(of_batches, simulated);
    }
  }
}

TEST(CacheRegions, AreOfTheSetsOfAPage) {
  CacheRegions paper({1024, 16}, 64, 8192);
  EXPECT_EQ(paper.count(), 8u);
  EXPECT_EQ(paper.region_of(0x12345), 5u);
  EXPECT_EQ(paper.ways_of_page(), 1u);

  CacheRegions sets({64, 8}, 64, 64);
  EXPECT_EQ(sets.count(), 64u) << "single lines: regions are sets";

  CacheRegions large({512, 16}, 64, 128 << 10);
  EXPECT_EQ(large.count(), 1u);
  EXPECT_EQ(large.ways_of_page(), 4u);

  CacheRegions sliced({11 * 2048, 11}, 64, 4096);
  EXPECT_EQ(sliced.count(), 352u);

  EXPECT_FALSE(CacheRegions::fits({96, 8}, 64, 4096)) << "a page's lines end in the midst of the sets";
  EXPECT_FALSE(CacheRegions::fits({}, 64, 4096));
  EXPECT_FALSE(CacheRegions::fits({64, 8}, 64, 96));
  EXPECT_TRUE(CacheRegions::fits({1, 1}, 64, uint64_t{1} << 37));
  EXPECT_FALSE(CacheRegions::fits({1, 1}, 64, uint64_t{1} << 38))
      << "a page takes more ways than can be said";
}

TEST(CacheRegions, RequireAsManyWaysAsPagesFallIntoThem) {
  std::mt19937_64 random(1);
  for (uint32_t sets : {1u, 32u, 64u, 1024u, 1536u}) {
    CacheRegions regions({sets, 4}, 64, 4096);
    std::vector<uint64_t> pages(random() % 200);
    for (uint64_t& page : pages) page = random() % 100000;
    std::vector<uint32_t> ways(regions.count(), 77);
    regions.require(pages.data(), pages.size(), ways.data());
    for (uint32_t region = 0; region < regions.count(); ++region) {
      auto here =
          std::ranges::count_if(pages, [&](uint64_t page) { return page * 64 % sets / 64 == region; });
      EXPECT_EQ(ways[region], static_cast<uint64_t>(here) * std::max(64 / sets, 1u));
    }
  }
}

}  // namespace
}  // namespace hm::model
