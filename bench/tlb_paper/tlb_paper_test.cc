// SPDX-License-Identifier: MIT
// Compares the simulation with slow and simple caches, and the figures with a search of all choices.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <set>

#include "tlb_paper/figures.h"
#include "tlb_paper/simulation.h"

namespace hm::tlb_paper {
namespace {

struct Access {
  uint64_t address;
  bool is_fetch;
};

// Walks over code and data slightly larger than some of the caches.
std::vector<Access> stream() {
  std::mt19937_64 random(7);
  std::vector<Access> all;
  for (int walk = 0; walk < 1500; ++walk) {
    bool is_fetch = random() % 3 == 0;
    uint64_t base = is_fetch ? 0x55'5555'0000 : 0x7f12'3456'0000;
    uint64_t at = base + random() % (1 << 19), step = uint64_t{8} << random() % 5;
    for (uint64_t i = 0; i < 40; ++i) all.push_back({at + i * step, is_fetch});
  }
  return all;
}

constexpr size_t kSomeSets = 1, kSomePage = 2;  // 256 sets, pages of 4 KiB

// Slow models of one cache and of the TLB.
struct Slow {
  explicit Slow(uint32_t sets) : cache(sets), hits(sets / 64) {}

  void access(const Access& each) {
    uint64_t line = each.address >> kLineShift;
    std::deque<uint64_t>& set = cache[line % cache.size()];
    auto found = std::ranges::find(set, line);
    if (found != set.end()) {
      ++hits[line % cache.size() / 64][static_cast<size_t>(found - set.begin())];
      set.erase(found);
    }
    set.push_front(line);
    if (set.size() > kWays) set.pop_back();
    std::erase(pages, each.address >> 12);
    pages.push_front(each.address >> 12);
  }

  std::vector<std::deque<uint64_t>> cache;
  RegionHits hits;  // by 4 KiB
  std::deque<uint64_t> pages;
};

TEST(TlbPaper, HitsPagesAndLinesAreThoseOfPlainLists) {
  Simulation simulation;
  Slow slow(kSets[kSomeSets]);
  for (const Access& each : stream()) {
    simulation.access(each.address, each.is_fetch);
    slow.access(each);
  }
  EXPECT_EQ(simulation.hits(kSomeSets, kSomePage), slow.hits);

  std::vector<uint64_t> pages = simulation.tlb(kSomePage, 128, false);
  ASSERT_EQ(pages.size(), 128u);
  for (uint32_t ways : {1u, 4u, kWays}) {
    std::set<uint64_t> resident;
    for (const auto& set : slow.cache) {
      for (size_t depth = 0; depth < set.size() && depth < ways; ++depth) resident.insert(set[depth] >> 6);
    }
    std::vector<bool> expected;
    for (size_t i = 0; i < pages.size(); ++i) expected.push_back(resident.contains(slow.pages[i]));
    EXPECT_EQ(simulation.cached(kSomeSets, kSomePage, ways, pages), expected) << ways << " ways";
  }
  simulation.forget_hits();
  EXPECT_EQ(simulation.hits(kSomeSets, kSomePage), RegionHits(4)) << "none since";
  EXPECT_EQ(simulation.tlb(kSomePage, 16, true).size(), 16u) << "code and data share no page";
}

uint64_t covered(const RegionHits& hits, const std::vector<uint32_t>& ways) {
  uint64_t sum = 0;
  for (size_t i = 0; i < hits.size(); ++i) {
    for (uint32_t depth = 0; depth < ways[i] && depth < kWays; ++depth) sum += hits[i][depth];
  }
  return sum;
}

TEST(TlbPaper, TheBestChoiceIsTheBestOfAll) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    RegionHits hits(3);
    for (auto& region : hits) {
      for (size_t depth = 0; depth < 5; ++depth) region[depth] = random() % 100;
    }
    std::vector<uint32_t> required{static_cast<uint32_t>(random() % 6), static_cast<uint32_t>(random() % 6),
                                   static_cast<uint32_t>(random() % 6)};
    uint64_t best = 0;
    uint32_t sum = required[0] + required[1] + required[2];
    for (uint32_t a = 0; a <= sum; ++a) {
      for (uint32_t b = 0; a + b <= sum; ++b) best = std::max(best, covered(hits, {a, b, sum - a - b}));
    }
    std::optional<double> found = covered_of_best(hits, required);
    ASSERT_EQ(found.has_value(), best != 0);
    if (found) {
      EXPECT_DOUBLE_EQ(*found, static_cast<double>(covered(hits, required)) / static_cast<double>(best));
    }
  }
}

TEST(TlbPaper, ConcentrationIsThatOfTheMostRequiredRegions) {
  RegionHits hits(2);
  hits[0] = {60, 20, 20};
  hits[1] = {90, 10, 0};
  // In region 0, 20 of 100 hits are at depth 2 or deeper; in all regions 20 of 200.
  EXPECT_DOUBLE_EQ(concentration(hits, {2, 1}).value_or(0), 2.0);
  EXPECT_EQ(concentration(hits, {3, 1}), std::nullopt) << "none is so deep";
}

}  // namespace
}  // namespace hm::tlb_paper
