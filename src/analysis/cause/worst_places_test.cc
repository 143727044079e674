// SPDX-License-Identifier: MIT
#include "analysis/cause/worst_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::cause {
namespace {

using ::testing::ElementsAre;

HotLocation place_at(uint32_t line, uint64_t estimated, uint64_t cycles_each) {
  HotLocation place;
  place.dso = "program";
  place.file = "/src/a.c";
  place.line = line;
  place.samples = 10;
  place.estimated = estimated;
  place.wait_cycles = static_cast<double>(cycles_each);
  return place;
}

std::vector<std::string> texts(const std::vector<WorstPlace>& places) {
  std::vector<std::string> texts;
  for (const WorstPlace& each : places)
    texts.push_back(each.event + " " + std::to_string(each.place.line) + " " +
                    std::to_string(static_cast<uint64_t>(each.cycles)));
  return texts;
}

TEST(WorstPlaces, AreOfAllEventsByWhatTheyCost) {
  Causes causes;
  causes.events = {{"l1", 20, {}, {place_at(1, 1000, 14), place_at(2, 800, 10)}, 2},
                   {"tlb", 20, {}, {place_at(3, 500, 40), place_at(2, 100, 20)}, 2}};
  EXPECT_THAT(texts(worst_places(causes, 10)), ElementsAre("tlb 3 20000", "l1 1 14000", "l1 2 8000"));
  EXPECT_EQ(worst_places(causes, 2).size(), 2u);
}

TEST(WorstPlaces, OfMeasuredWaitsStandForThoseOfMisses) {
  Causes causes;
  causes.events = {{"l1_cache_miss", 20, {}, {place_at(1, 1000, 14)}, 1},
                   {"icache_miss", 20, {}, {place_at(3, 500, 10)}, 1},
                   {"memory_wait", 20, {}, {place_at(2, 9000, 1)}, 1}};
  EXPECT_THAT(texts(worst_places(causes, 10)), ElementsAre("memory_wait 2 9000", "icache_miss 3 5000"));
}

TEST(WorstPlaces, WithoutLatenciesAreNone) {
  Causes causes;
  causes.events = {{"l1", 20, {}, {place_at(1, 1000, 14)}, 1}};
  causes.events[0].places[0].wait_cycles.reset();
  EXPECT_TRUE(worst_places(causes, 10).empty());
}

}  // namespace
}  // namespace hm::cause
