// SPDX-License-Identifier: MIT
#include "analysis/map/cache_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <random>
#include <span>

#include "analysis/map/recent_pages.h"
#include "profile/test_recording.h"

namespace hm::map {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kText = 0x400000;
constexpr uint64_t kData = 0x10000000;
constexpr uint64_t kPage = 4096;
const Cache kCache{"L2", {512, 4}, 64};  // 8 regions with 4 ways

profile::TestRecording recording(uint64_t extra_sample_type = 0) {
  profile::TestRecording made({profile::test_event("loads", 1, PERF_SAMPLE_ADDR | extra_sample_type)});
  made.map(1, 7, kText, 0x1000, "/no/such/program");
  return made;
}

void add_sample(profile::TestRecording& to, uint64_t time_ns, uint64_t address, uint64_t physical = 0) {
  record::Sample sample;
  sample.addr = address;
  sample.phys_addr = physical;
  to.sample(time_ns, 7, kText + 0x10, sample);
}

// Cycles over `pages` pages at a distance of `stride` pages.
profile::TestRecording walk(uint64_t pages, uint64_t stride) {
  profile::TestRecording made = recording();
  for (uint64_t i = 0; i < 4000; ++i) add_sample(made, 10 + i, kData + i % pages * stride * kPage);
  return made;
}

Map map_of(const profile::TestRecording& made, Options options = {}) {
  options.cache = kCache;
  options.columns = 10;
  Result<Map> map = find_map(made.load(), options);
  EXPECT_TRUE(map.ok()) << (map.ok() ? "" : map.error().message);
  return map.ok() ? *map : Map{};
}

TEST(RecentPages, NeedAsManyWaysAsThereArePagesAtEachStep) {
  std::mt19937_64 random(1);
  model::CacheRegions regions({512, 4}, 64, kPage);
  for (size_t most : {1u, 5u, 64u}) {
    RecentPages recent(regions, most);
    std::deque<uint64_t> slow;
    for (int step = 0; step < 3000; ++step) {
      uint64_t page = random() % 100;
      recent.use(page);
      std::erase(slow, page);
      slow.push_front(page);
      if (slow.size() > most) slow.pop_back();
      ASSERT_TRUE(std::ranges::equal(recent.pages(), slow));
      for (uint32_t region = 0; region < 8; ++region) {
        auto pages = std::ranges::count_if(slow, [&](uint64_t each) { return each % 8 == region; });
        ASSERT_EQ(recent.ways()[region], static_cast<uint64_t>(pages)) << "step " << step;
      }
    }
  }
}

// The first thread's half takes nine tenths of the clock time of the slowed run, and as many cycles as the
// other.
TEST(Map, HasColumnsOfModelledCycles) {
  profile::TestRecording made = recording();
  for (uint64_t i = 0; i < 1000; ++i) add_sample(made, i < 500 ? 18 * i : 9000 + 2 * i, kData + i * kPage);
  profile::Profile profile = made.load();
  for (uint64_t i = 0; i < 1000; ++i) profile.samples.run_cycles.set(i, 7 * i);
  Result<Map> map = find_map(profile, {.cache = kCache, .columns = 10});
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->unit, profile::TimeUnit::kCycles);
  EXPECT_EQ(map->end, 7u * 999);
  for (const Column& column : map->columns) EXPECT_NEAR(static_cast<double>(column.samples), 100, 1);
}

TEST(Map, OfPagesInOneRegionIsAConflictThatSpreadingRemoves) {
  Map map = map_of(walk(16, 8));
  EXPECT_EQ(map.pressure, Pressure::kConflict);
  EXPECT_EQ(map.pages, 64u) << "twice what the cache holds";
  ASSERT_EQ(map.crowded.size(), 1u);
  const CrowdedRegion& region = map.crowded[0];
  EXPECT_EQ(region.region, kData / kPage % 8);
  EXPECT_EQ(region.max_ways, 16u);
  EXPECT_DOUBLE_EQ(region.crowded, 1.0);
  ASSERT_EQ(region.functions.size(), 1u);
  EXPECT_EQ(region.functions[0].pages, 16u);
  EXPECT_EQ(region.samples, 4000u - 4) << "the first four pages fit";
  EXPECT_DOUBLE_EQ(map.excess, 12);
  EXPECT_DOUBLE_EQ(map.excess_if_even, 0);
  EXPECT_EQ(map.spread.crowded_out, 4000u - 16);
  EXPECT_EQ(map.spread.crowded_out_after, 0u);
  ASSERT_TRUE(map.spread.removed.has_value());
  EXPECT_DOUBLE_EQ(map.spread.removed->value, 1);
  EXPECT_GT(map.spread.removed->low, 0.99);
}

// The kernel mapped consecutive virtual pages into one region; huge pages would spread them as their virtual
// addresses. If the virtual addresses conflict, huge pages do not help.
TEST(Map, HugePagesFollowVirtualAddresses) {
  for (uint64_t virtual_stride : {1, 8}) {
    profile::TestRecording made = recording(PERF_SAMPLE_PHYS_ADDR);
    for (uint64_t i = 0; i < 4000; ++i)
      add_sample(made, 10 + i, kData + i % 16 * virtual_stride * kPage, (1000 + i % 16 * 8) * kPage);
    Map map = map_of(made);
    EXPECT_TRUE(map.physical);
    EXPECT_DOUBLE_EQ(map.spread.removed->value, 1) << "page colouring";
    ASSERT_TRUE(map.huge_pages);
    EXPECT_EQ(map.huge_pages->crowded_out_after, virtual_stride == 1 ? 0 : map.spread.crowded_out);
  }
  EXPECT_EQ(map_of(walk(16, 8)).huge_pages, std::nullopt) << "addresses are virtual";
}

// The format in which the engines append it to a sample.
struct [[gnu::packed]] TlbRaw {
  record::SampleExtension access{record::kExtensionMagic,   0, 8, record::AccessKind::kLoad, {}, {}, {},
                                 record::LoadReplay::kNone, {}};
  record::TlbExtension tlb{record::kTlbMagic, 8, 12, 1};
  record::TlbPage pages[8] = {};
};

TEST(Map, GoesByWhatTheTlbsHeld) {
  profile::TestRecording made = recording(PERF_SAMPLE_RAW);
  TlbRaw raw;
  for (uint32_t i = 0; i < 6; ++i) raw.pages[i] = {8 * i + 3, 0};
  raw.pages[6] = raw.pages[0];
  raw.pages[7] = {5, 1};
  for (uint64_t i = 0; i < 100; ++i) {
    record::Sample sample;
    sample.addr = (8 * (i % 6) + 3) * kPage;
    if (i % 50 == 25) sample.raw = std::as_bytes(std::span(&raw, 1));
    made.sample(10 + i, 7, kText + 0x10, sample);
  }
  Map map = map_of(made);
  EXPECT_EQ(map.tlb_states, 2u);
  EXPECT_TRUE(map.tlb_complete);
  EXPECT_TRUE(map.columns[1].ways.empty()) << "nothing was told yet";
  EXPECT_EQ(map.columns[9].ways, (std::vector<uint32_t>{0, 0, 0, 6, 0, 1, 0, 0}));
  ASSERT_EQ(map.crowded.size(), 1u);
  EXPECT_EQ(map.crowded[0].region, 3u);
  EXPECT_EQ(map.crowded[0].samples, 75u);
  Options options;
  options.samples_alone = true;
  Map sampled = map_of(made, options);
  EXPECT_EQ(sampled.tlb_states, 0u);
  EXPECT_EQ(sampled.columns[9].ways[5], 0u);
}

TEST(Map, OfMorePagesThanTheCacheHoldsIsCapacity) {
  Map map = map_of(walk(60, 1));
  EXPECT_EQ(map.pressure, Pressure::kCapacity);
  EXPECT_EQ(map.all_crowded, 8u);
  EXPECT_EQ(map.crowded.size(), 5u) << "the limit";
  EXPECT_DOUBLE_EQ(map.excess_if_even, 60 - 32);
  EXPECT_EQ(map.spread.crowded_out, map.spread.crowded_out_after);
}

TEST(Map, OfAWorkingSetThatFitsSaysSo) {
  Map map = map_of(walk(30, 1));
  EXPECT_EQ(map.pressure, Pressure::kFits);
  EXPECT_TRUE(map.crowded.empty());
  EXPECT_EQ(map.spread.removed, std::nullopt);
  ASSERT_EQ(map.columns.size(), 10u);
  for (const Column& column : map.columns)
    EXPECT_EQ(column.ways, (std::vector<uint32_t>{4, 4, 4, 4, 4, 4, 3, 3}));
}

TEST(Map, KnowsWhenARegionIsCrowded) {
  profile::TestRecording made = recording();
  for (uint64_t i = 0; i < 1000; ++i) add_sample(made, 100 + i, kData + i % 8 * kPage);
  for (uint64_t i = 0; i < 1000; ++i) add_sample(made, 1100 + i, kData + i % 10 * 8 * kPage);
  Map map = map_of(made);
  ASSERT_EQ(map.columns.size(), 10u);
  EXPECT_EQ(map.columns[3].ways[0], 1u);
  EXPECT_EQ(map.columns[7].ways[0], 10u);
  ASSERT_EQ(map.crowded.size(), 1u);
  EXPECT_DOUBLE_EQ(map.crowded[0].crowded, 0.5);
}

TEST(Map, GoesByPhysicalAddressesWhereThereAreAny) {
  profile::TestRecording made = recording(PERF_SAMPLE_PHYS_ADDR);
  for (uint64_t i = 0; i < 100; ++i)
    add_sample(made, 10 + i, kData + i % 16 * 8 * kPage, (1 + i % 16) * kPage);
  Map map = map_of(made);
  EXPECT_TRUE(map.physical);
  EXPECT_EQ(map.pressure, Pressure::kFits);
  Map by_virtual = map_of(made, {.virtual_addresses = true});
  EXPECT_FALSE(by_virtual.physical);
  EXPECT_EQ(by_virtual.pressure, Pressure::kConflict);
}

TEST(Map, OfSingleSetsGoesByLines) {
  profile::TestRecording made = recording();
  for (uint64_t i = 0; i < 100; ++i) add_sample(made, 10 + i, kData + 5 * 64 + i % 6 * 512 * 64);
  Map map = map_of(made, {.page_bytes = 64});
  EXPECT_EQ(map.mean_ways.size(), 512u);
  ASSERT_EQ(map.crowded.size(), 1u);
  EXPECT_EQ(map.crowded[0].region, 5u);
}

TEST(Map, SaysWhatItCannotBeMadeOf) {
  profile::TestRecording made = recording();
  add_sample(made, 10, 0);
  Result<Map> none = find_map(made.load(), {.cache = kCache});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(none.error().message, HasSubstr("none of the 1 samples"));
  Result<Map> uneven = find_map(made.load(), {.cache = {"L2", {96, 4}, 64}});
  ASSERT_FALSE(uneven.ok());
  EXPECT_EQ(uneven.error().code, ErrorCode::kInvalidArgument);
}

TEST(Map, OfMoreRegionsThanFitIntoMemoryIsRefused) {
  profile::TestRecording made = walk(10, 1);
  // A recording may claim such a machine.
  Cache immense{"L3", {1U << 31, 16}, 64}, large{"L3", {1U << 18, 16}, 64};
  EXPECT_EQ(find_map(made.load(), {.cache = immense}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(find_map(made.load(), {.cache = large}).ok());
  EXPECT_TRUE(find_map(made.load(), {.cache = large, .page_bytes = 64}).ok());
  Result<Map> wide = find_map(made.load(), {.cache = large, .page_bytes = 64, .columns = 65});
  ASSERT_FALSE(wide.ok());
  EXPECT_THAT(wide.error().message, HasSubstr("too large"));
}

TEST(MapTest, EqualVirtualPagesOfTwoProcessesAreDifferentData) {
  Options options;
  options.cache = kCache;
  options.columns = 1;
  size_t one_process = 0;
  for (uint32_t processes : {1u, 2u}) {
    profile::TestRecording made = recording();
    made.map(1, 8, kText, 0x1000, "/no/such/program");
    for (uint64_t i = 0; i < 400; ++i) {
      record::Sample sample;
      sample.addr = kData + i % 8 * 3 * kPage;
      made.sample(10 + i, i % 16 < 8 ? 7 : 6 + processes, kText + 0x10, sample);
    }
    Result<Map> map = find_map(made.load(), options);
    ASSERT_TRUE(map.ok());
    EXPECT_EQ(map->processes, processes);
    size_t ways = 0;
    for (uint32_t each : map->columns[0].ways) ways += each;
    if (processes == 1) one_process = ways;
    EXPECT_EQ(ways, processes * one_process);
  }
}

TEST(MapTest, TheLargestCacheHasAMap) {
  Map map;
  map.cache = kCache;
  for (uint64_t page_bytes : {uint64_t{64}, kPage}) {
    map.page_bytes = page_bytes;
    Options options;
    options.page_bytes = page_bytes;
    options.columns = 1;
    options.cache = Cache{"L2", {static_cast<uint32_t>(max_sets(map)), 4}, 64};
    EXPECT_TRUE(find_map(walk(8, 1).load(), options).ok()) << page_bytes;
  }
}

}  // namespace
}  // namespace hm::map
