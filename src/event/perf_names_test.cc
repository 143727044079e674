// SPDX-License-Identifier: MIT
#include "event/perf_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "event/event_template.h"
#include "event/selection.h"

namespace hm::event {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string said_of(std::string_view name) { return parse_selections(name).error().message; }

TEST(PerfNames, AreThoseOfTheTable) {
  EXPECT_EQ(own_name("cache-misses:u"), "l3_cache_miss");
  EXPECT_EQ(own_name("page-faults"), "");
  for (const char* name : {"cache-misses", "cache-references", "branches", "branch-misses", "instructions",
                           "LLC-loads", "dTLB-store-misses", "iTLB-load-misses"})
    EXPECT_NE(find_event(own_name(name)), nullptr) << name;
  EXPECT_THAT(only_table_events(*parse_selections("cache-misses")).error().message,
              HasSubstr("l3_cache_miss"));
}

TEST(PerfNames, OfWhatIsElsewherePointThere) {
  EXPECT_THAT(said_of("intel_cqm/llc_occupancy/"), HasSubstr("hardmeter llc"));
  EXPECT_THAT(said_of("uncore_imc/data_reads/"), AllOf(HasSubstr("PMU/EVENT/"), Not(HasSubstr("nearest"))));
  EXPECT_THAT(said_of("LLC-load-misses"), HasSubstr("the name here is 'l3_cache_miss'"));
}

TEST(PerfNames, OnlyWhatIsNearIsCalledSo) {
  EXPECT_THAT(said_of("l1_cache_mis"), HasSubstr("nearest is 'l1_cache_miss'"));
  EXPECT_THAT(said_of("l1_miss"), HasSubstr("near are 'l1_cache_miss', 'l1_store_miss'"));
  EXPECT_THAT(said_of("cache-miss"), HasSubstr("near are 'l1_cache_miss', 'l2_cache_miss', 'l3_cache_miss'"));
  EXPECT_THAT(said_of("foo"), Not(HasSubstr("nearest")));
  EXPECT_THAT(said_of("xyzzy_quux_frob"), Not(HasSubstr("nearest")));
}

}  // namespace
}  // namespace hm::event
