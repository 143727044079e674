// SPDX-License-Identifier: MIT
// Two threads alternate on one core with common counters: each gets the events of its own time slices.
#include "pmu/soft/sampling/time_slice.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

class TimeSlices : public testing::Test {
 protected:
  uint64_t count(const ThreadTotals& totals, EventId id) { return totals.counted.events[index_of(id)]; }

  // Runs one time slice with these events, stall cycles and L1 misses; the misses are also sampled.
  void run_time_slice(ThreadTotals& totals, const FrequentEvents& frequent, uint64_t stalls,
                      uint64_t misses) {
    slice_.begin(core_, counters_);
    core_.costs.add_latency(stalls, 0);
    if (counters_.add(EventId::kL1CacheMiss, misses)) counters_.finish_period(EventId::kL1CacheMiss);
    *counters_.remaining(EventId::kMemoryLoads) -= static_cast<int64_t>(frequent.loads);
    core_.tick += 2 * (frequent.instructions + frequent.loads + frequent.stores);
    slice_.add_to(totals.counted, frequent, core_, counters_);
  }

  ModelledCore core_;
  Counters counters_;
  TimeSlice slice_;
};

TEST_F(TimeSlices, AddWhatHappenedInThem) {
  Session session{};
  session.events[index_of(EventId::kL1CacheMiss)] = {1, 1, 1, 3};
  session.events[index_of(EventId::kMemoryLoads)] = {1, 1, 2, 1000};
  counters_.configure(session);
  ThreadTotals first{}, second{};
  run_time_slice(first, {100, 20, 10}, 50, 4);
  run_time_slice(second, {7, 2, 1}, 3, 5);
  run_time_slice(first, {1, 0, 0}, 0, 0);
  EXPECT_EQ(count(first, EventId::kInstrRetired), 101u);
  EXPECT_EQ(count(first, EventId::kMemoryLoads), 20u) << "not again by their counter";
  EXPECT_EQ(count(first, EventId::kMemoryStores), 10u);
  EXPECT_EQ(count(first, EventId::kMemoryMoves), 30u);
  EXPECT_EQ(count(first, EventId::kL1CacheMiss), 4u);
  EXPECT_EQ(first.counted.cycles, 130u + 50 + 1);
  EXPECT_EQ(count(second, EventId::kInstrRetired), 7u);
  EXPECT_EQ(count(second, EventId::kMemoryMoves), 3u);
  EXPECT_EQ(count(second, EventId::kL1CacheMiss), 5u);
  EXPECT_EQ(second.counted.cycles, 10u + 3);
}

TEST_F(TimeSlices, TellTheCyclesSoFar) {
  core_.tick += 2 * 1000;
  core_.costs.add_latency(77, 0);
  slice_.begin(core_, counters_);
  core_.costs.add_latency(10, 0);
  EXPECT_EQ(slice_.cycles(core_, core_.tick), 10u);
  EXPECT_EQ(slice_.cycles(core_, core_.tick + 2 * 5 + 1), 15u);
}

}  // namespace
}  // namespace hm::soft
