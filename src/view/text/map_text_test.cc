// SPDX-License-Identifier: MIT
#include "view/text/map_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "view/text/sizes_text.h"

namespace hm::text {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

map::Map small_map() {
  map::Map map;
  map.cache = {"L2", {256, 4}, 64};
  map.page_bytes = 4096;
  map.pages = 32;
  map.samples = 1234;
  map.others = 5;
  map.threads = 2;
  map.begin = 1'000'000;
  map.end = 4'500'000;
  map.columns = {{1'000'000, 0, {}}, {2'000'000, 10, {1, 4, 0, 2}}, {3'000'000, 10, {9, 5, 0, 3}}};
  map.mean_ways = {5, 4.5, 0, 2.5};
  map.pressure = map::Pressure::kConflict;
  map.crowded_regions = 0.25;
  map.excess = 3;
  map.spread = {200, 10, profile::Share{0.95, 0.91, 0.97}};
  map.all_crowded = 2;
  map.crowded = {
      {0, 5, 9, 0.5, 40, {{"global table (program)", 30, 7, 0.75}}, {{"struct row", 30, 1, 0.75}}, {}}};
  return map;
}

TEST(MapConclusion, IsOneSentence) {
  map::Map map = small_map();
  EXPECT_EQ(map_conclusion(map),
            "Conflict: 25.0% of the regions need more than 4 ways, most of all region 0 (5.0), crowded by "
            "global table (program) (75.0%).");
  map.crowded[0].functions = {{"main", 30, 7, 0.75}};
  EXPECT_THAT(map_conclusion(map), HasSubstr("by global table (program) in main (75.0%)."));
  map.pressure = map::Pressure::kCapacity;
  EXPECT_THAT(map_conclusion(map), HasSubstr("Too small: 25.0% of the regions"));
  map.crowded.clear();
  EXPECT_EQ(map_conclusion(map), "Too small: 25.0% of the regions need more than 4 ways.");
  map.pressure = map::Pressure::kFits;
  EXPECT_EQ(map_conclusion(map), "No region is crowded: hardly any region needs more than 4 ways.");
}

TEST(MapView, DrawsRegionsOverTimeAndSaysWhatCrowdsThem) {
  EXPECT_EQ(map_view(small_map(), {}),
            R"(# L2: 64 KiB, 4 ways, lines of 64 bytes; 4 regions by pages of 4 KiB, virtual addresses
# estimated from 1,234 samples with an address, of 2 threads; in use at a time: the last 32 pages
# 5 samples without an address: their accesses are unknown
#
region        mean
     0 | .@|  5.0
     1 | =#|  4.5
     2 |   |  0.0
     3 | :-|  2.5
        0 3.5 ms
ways needed, of 4:  . to 1  : to 2  - to 3  = to 4  # to 8  @ over 8

conflict: 25.0% of the regions need more than 4 ways: on average 3.0 pages too many for their regions, 0.0 too many for the cache
what would help, of 200 samples whose page was evicted by crowding (estimates):
  padding         95.0% (91.0% to 97.0%) fewer, if each page were in the least crowded region

region 0: 5.0 ways needed on average, 9 at most; crowded for 50.0% of the time, 40 samples
  objects     75.0%  global table (program) (7 pages)
  types       75.0%  struct row (1 page)

# 1 more crowded region
)");
}

TEST(MapView, DrawsInColourOnlyWhereThatIsAllowed) {
  EXPECT_THAT(map_view(small_map(), {80, true, true}), HasSubstr("\x1b[31m█\x1b[0m"));
  EXPECT_THAT(map_view(small_map(), {80, false, true}), Not(HasSubstr("\x1b")));
}

TEST(MapView, DrawsManyRegionsSeveralARow) {
  map::Map map = small_map();
  map.mean_ways.assign(100, 1);
  map.columns = {{0, 1, std::vector<uint32_t>(100, 1)}};
  map.columns[0].ways[99] = 9;
  std::string view = map_view(map, {});
  EXPECT_THAT(view, HasSubstr("\n   0-2 |.|"));
  EXPECT_THAT(view, HasSubstr("\n 96-99 |@|")) << "the one that needs the most";
}

sizes::Sizes small_sizes() {
  sizes::Sizes sizes;
  sizes.counted = {64, 3, 4, 64, 1000, 0, {{500, 400, 300, 300}, {400, 300, 40, 40}, {300, 200, 30, 30}}};
  const auto point = [](uint64_t kib, uint32_t sets, double missed) {
    return sizes::Point{kib << 10, sets, 4, {missed, missed, missed}};
  };
  sizes.curve = {point(16, 64, 0.3), point(32, 128, 0.04), point(64, 256, 0.03)};
  sizes.need = sizes::Need{sizes.curve[1], sizes.curve[0], 7.5};
  sizes.event = "memory_moves";
  sizes.samples = 100;
  sizes.all_rows = 3;
  sizes.rows = {{"walk", "program", 60, {0.6, 0.5, 0.7}, sizes.curve, sizes.need},
                {"rest", "program", 30, {0.3, 0.2, 0.4}, {}, std::nullopt}};
  return sizes;
}

TEST(SizesView, SaysWhatTheRunAndItsFunctionsNeed) {
  std::string view = sizes_view(small_sizes(), {{2, 64, 128, 4, "Unified"}}, {});
  EXPECT_THAT(
      view,
      HasSubstr("# caches for data of 64 to 256 sets, 1 to 4 ways, lines of 64 bytes, LRU; 1,000 accesses"));
  EXPECT_THAT(view, HasSubstr(" L2"));
  EXPECT_THAT(view,
              HasSubstr("the run needs 32 KiB: with 16 KiB it misses 7.5 times as often (30.00 % of the "
                        "accesses instead of 4.00 %)\n"));
  EXPECT_THAT(view, HasSubstr("60.0% ±10.0       60  walk      program\n      needs 32 KiB: "));
  EXPECT_THAT(view, HasSubstr("30.0% ±10.0       30  rest      program\n      misses about as often with all "
                              "sizes, within the error\n"));
  EXPECT_THAT(view, HasSubstr("# 1 more function\n"));
}

TEST(SizesView, WithoutSamplesOfAllAccessesHasNoFunctions) {
  sizes::Sizes sizes = small_sizes();
  sizes.event.clear();
  sizes.rows.clear();
  EXPECT_THAT(sizes_view(sizes, {}, {}), HasSubstr("record with -e memory_moves too"));
}

}  // namespace
}  // namespace hm::text
