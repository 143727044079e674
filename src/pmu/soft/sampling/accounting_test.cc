// SPDX-License-Identifier: MIT
// Known accesses on a small machine: their counts, costs and samples.
#include "pmu/soft/sampling/accounting.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "model/reference_models.h"
#include "pmu/soft/sampling/time_slice.h"

namespace hm::soft {
namespace {

using record::AccessKind;

constexpr AccessInfo kLoad{8, AccessKind::kLoad, false};
constexpr AccessInfo kStore{8, AccessKind::kStore, false};
constexpr uint64_t kIp = 0x401000;
constexpr uint64_t kPage = 0x10000;

// Two sets of two ways in each first level, and two pages in each TLB, with the default Latencies.
model::MachineGeometry small_machine() {
  model::MachineGeometry geometry;
  geometry.l1i = geometry.l1d = {2, 2};
  geometry.l2 = {4, 2};
  geometry.l3 = {8, 2};
  geometry.itlb = geometry.dtlb = {1, 2};
  geometry.second_tlb = {1, 8};
  return geometry;
}

// A core with its memory, and one page of code.
struct TestCore {
  // `costs`: of a calibrated machine.
  explicit TestCore(const model::Costs* costs = nullptr) {
    plan.calibrated = costs != nullptr;
    if (costs != nullptr) plan.costs = *costs;
    model::FilterTables tables = filters->tables(0, sizeof(model::CodePlace));
    shared = build_shared(plan, room(shared_bytes(plan)));
    build_core(core, plan, tables, shared, room(core_bytes(plan, tables)));
  }

  void* room(uint64_t bytes) { return rooms.emplace_back(bytes / sizeof(Line) + 1).data(); }

  struct alignas(64) Line {
    uint8_t bytes[64] = {};
  };
  std::unique_ptr<CoreFilters> filters = std::make_unique<CoreFilters>();
  ModelPlan plan{small_machine(), 1, true, true, {}, model::reference::kept_memory};
  std::vector<std::vector<Line>> rooms;
  model::SharedLevels shared;
  ModelledCore core;
};

struct Sample {
  EventId id;
  Cause cause;
  Tick now;
  uint64_t period;
};

class AccountingTest : public testing::Test {
 protected:
  struct Thread {
    AccountingTest* test;
    TestCore* on;

    [[nodiscard]] ModelledCore& core() const { return on->core; }
    [[nodiscard]] Counters& counters() const { return test->counters_; }
    [[nodiscard]] uint64_t ip() const { return kIp; }
    [[nodiscard]] uint64_t site() const { return kIp; }
    [[nodiscard]] const AddressSources* address_sources() const { return nullptr; }
    [[nodiscard]] bool read(uint64_t, uint64_t*) const { return false; }
    void sample(EventId id, const Cause& cause, Tick now) const {
      test->samples_.push_back({id, cause, now, test->counters_.finish_period(id)});
    }
  };

  void set_period(EventId id, uint64_t period) {
    session_.events[index_of(id)] = {1, 1, 1, period};
    counters_.configure(session_);
  }

  Accounting<Thread> on(TestCore& core) { return Accounting(Thread{this, &core}); }
  Accounting<Thread> account() { return on(core_); }
  Tick next() { return now_ += 2; }

  void load(uint64_t address, uint32_t bytes = 8) {
    account().on_data(address, {bytes, AccessKind::kLoad, false}, next());
  }
  void store(uint64_t address, uint32_t bytes = 8) {
    account().on_data(address, {bytes, AccessKind::kStore, false}, next());
  }

  // Returns the nonzero counts since the last call.
  using Counts = std::vector<std::pair<EventId, uint64_t>>;
  Counts counted() { return changes(0, index_of(EventId::kMemoryWait)); }
  Counts waits() {
    FrequentEvents frequent;
    frequent.take_waits(core_.core);
    Counts counts;
    for (unsigned i = 0; i < event::kWaitEvents; ++i) {
      if (frequent.waits[i] != 0)
        counts.emplace_back(static_cast<EventId>(index_of(EventId::kMemoryWait) + i), frequent.waits[i]);
    }
    return counts;
  }
  Counts changes(unsigned begin, unsigned end) {
    Counts counts;
    for (unsigned i = begin; i < end; ++i) {
      auto id = static_cast<EventId>(i);
      if (uint64_t events = counters_.total(id) - seen_[i]) counts.emplace_back(id, events);
      seen_[i] = counters_.total(id);
    }
    return counts;
  }
  uint64_t stalled() {
    uint64_t stalls = core_.core.costs.cycles_after(0), cycles = stalls - seen_stalls_;
    seen_stalls_ = stalls;
    return cycles;
  }

  TestCore core_;
  Counters counters_;
  std::vector<Sample> samples_;
  Tick now_ = kFirstTick;

 private:
  Session session_{};
  uint64_t seen_[kEventCount] = {};
  uint64_t seen_stalls_ = 0;
};

TEST_F(AccountingTest, ALoadCountsAtEachLevelThatItMissed) {
  using enum EventId;
  load(kPage);  // a cold miss: from memory, after a page walk
  EXPECT_EQ(
      counted(),
      (Counts{
          {kL1CacheMiss, 1}, {kL2CacheMiss, 1}, {kL3CacheMiss, 1}, {kDtlbLoadMiss, 1}, {kDtlbAllMiss, 1}}));
  EXPECT_EQ(stalled(), 200u + 30 - 4);
  load(kPage + 8);
  EXPECT_EQ(counted(), Counts{}) << "the line and the page are there";
  EXPECT_EQ(stalled(), 0u);
  load(kPage + 0x80);
  load(kPage + 0x100);
  EXPECT_EQ(counted(), (Counts{{kL1CacheMiss, 2}, {kL2CacheMiss, 2}, {kL3CacheMiss, 2}}));
  EXPECT_EQ(stalled(), 2u * (200 - 4));
  load(kPage + 0x80);
  load(kPage);  // the LRU line of three in a set of two ways; the second level still has it
  EXPECT_EQ(counted(), (Counts{{kL1CacheMiss, 1}}));
  EXPECT_EQ(stalled(), 14u - 4);
}

TEST_F(AccountingTest, AStoreCountsAsOne) {
  using enum EventId;
  store(kPage);
  EXPECT_EQ(counted(), (Counts{{kL1StoreMiss, 1}, {kDtlbStoreMiss, 1}, {kDtlbAllMiss, 1}}));
  EXPECT_EQ(stalled(), 200u + 30 - 4);
  load(kPage);
  EXPECT_EQ(counted(), Counts{}) << "a store brings its line in";
}

TEST_F(AccountingTest, AReadModifyWriteCountsAsALoad) {
  account().on_data(kPage, {8, AccessKind::kReadModifyWrite, true}, next());
  EXPECT_EQ(counters_.total(EventId::kL1CacheMiss), 1u);
  EXPECT_EQ(counters_.total(EventId::kL1StoreMiss), 0u);
}

TEST_F(AccountingTest, TheKernelMissesForTheProgramButTakesNoTime) {
  using enum EventId;
  set_period(kL1StoreMiss, 1);
  account().on_kernel_data(kPage, AccessInfo::of_kernel(64, true), next());
  EXPECT_EQ(counted(), (Counts{{kL1StoreMiss, 1}, {kDtlbStoreMiss, 1}, {kDtlbAllMiss, 1}}));
  EXPECT_EQ(stalled(), 0u);
  EXPECT_EQ(waits(), Counts{});
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_TRUE(samples_[0].cause.by_kernel);
  EXPECT_EQ(samples_[0].cause.bytes, 64u);
  EXPECT_EQ(samples_[0].cause.outcome.latency_cycles, 0u);
  EXPECT_EQ(samples_[0].cause.outcome.l1_class, record::MissClass::kCompulsory);
  load(kPage);
  EXPECT_EQ(counted(), Counts{}) << "the kernel has brought the line in";
  account().on_kernel_data(kPage + 0x80, AccessInfo::of_kernel(10, false), next());
  EXPECT_EQ(counted(), (Counts{{kL1CacheMiss, 1}, {kL2CacheMiss, 1}, {kL3CacheMiss, 1}}));
  account().on_data(kPage + 0x100, kStore, next());
  EXPECT_FALSE(samples_.back().cause.by_kernel);
}

TEST_F(AccountingTest, AFlushCountsNothingAndCostsNoWait) {
  using enum EventId;
  load(kPage);
  counted();
  stalled();
  account().on_data(kPage + 60, {1, AccessKind::kFlush, false}, next());
  EXPECT_EQ(counted(), Counts{});
  EXPECT_EQ(stalled(), 0u);
  load(kPage);
  EXPECT_EQ(counted(), (Counts{{kL1CacheMiss, 1}, {kL2CacheMiss, 1}, {kL3CacheMiss, 1}}));
  EXPECT_EQ(stalled(), 200u - 4);
}

TEST_F(AccountingTest, ATlbMissAloneCounts) {
  using enum EventId;
  load(kPage);
  load(kPage + 0x1040);
  load(kPage + 0x2040);  // a third page, in a TLB of two
  counted();
  stalled();
  load(kPage);
  EXPECT_EQ(counted(), (Counts{{kDtlbLoadMiss, 1}, {kDtlbAllMiss, 1}}));
  EXPECT_EQ(stalled(), 7u) << "the second TLB has it";
}

TEST_F(AccountingTest, AnAccessOverTwoLinesCountsEach) {
  using enum EventId;
  load(kPage + 0x3c);
  EXPECT_EQ(counted(), (Counts{{kL1CacheMiss, 2},
                               {kL2CacheMiss, 2},
                               {kL3CacheMiss, 2},
                               {kDtlbLoadMiss, 1},
                               {kDtlbAllMiss, 1},
                               {kSplitLoadRetired, 1},
                               {kSplitLoadMiss, 1}}));
  EXPECT_EQ(stalled(), 200u + 30 - 4) << "the slower of the two";
  load(kPage + 0x3c);
  EXPECT_EQ(counted(), (Counts{{kSplitLoadRetired, 1}}));
  load(kPage + 0x7c);  // its first line is cached
  EXPECT_EQ(counted(),
            (Counts{{kL1CacheMiss, 1}, {kL2CacheMiss, 1}, {kL3CacheMiss, 1}, {kSplitLoadRetired, 1}}));
  store(kPage + 0x23c);
  EXPECT_EQ(counted(), (Counts{{kL1StoreMiss, 2}, {kSplitStoreMiss, 1}}));
}

TEST_F(AccountingTest, EveryPeriodthMissIsSampled) {
  set_period(EventId::kL1CacheMiss, 3);
  for (uint64_t i = 0; i < 7; ++i) {
    load(kPage + 0x40 * i, 4);
    load(kPage + 0x40 * i, 4);
  }
  ASSERT_EQ(samples_.size(), 2u);
  for (uint64_t i : {0u, 1u}) {
    const Sample& sample = samples_[i];
    EXPECT_EQ(sample.id, EventId::kL1CacheMiss);
    EXPECT_EQ(sample.period, 3u);
    EXPECT_EQ(sample.now, kFirstTick + 2 * (1 + 2 * (3 * i + 2))) << "the first load of the line";
    EXPECT_EQ(sample.cause.ip, kIp);
    EXPECT_EQ(sample.cause.address, kPage + 0x40 * (3 * i + 2));
    EXPECT_EQ(sample.cause.bytes, 4u);
    EXPECT_EQ(sample.cause.kind, AccessKind::kLoad);
    EXPECT_FALSE(sample.cause.locked);
    EXPECT_EQ(sample.cause.outcome.level, model::Level::kMemory);
    EXPECT_EQ(sample.cause.outcome.translation, model::Translation::kFirstTlb);
    EXPECT_EQ(sample.cause.outcome.latency_cycles, 200u);
  }
}

TEST_F(AccountingTest, OneAccessMayBeASampleOfSeveralEvents) {
  set_period(EventId::kL1StoreMiss, 1);
  set_period(EventId::kDtlbAllMiss, 1);
  account().on_data(kPage, {2, AccessKind::kStore, true}, next());
  ASSERT_EQ(samples_.size(), 2u);
  EXPECT_EQ(samples_[0].id, EventId::kL1StoreMiss);
  EXPECT_EQ(samples_[1].id, EventId::kDtlbAllMiss);
  EXPECT_TRUE(samples_[1].cause.locked);
}

TEST_F(AccountingTest, WaitsAreTheLatenciesOfMissesByLevel) {
  using enum EventId;
  load(kPage);  // from memory, after a page walk
  EXPECT_EQ(waits(), (Counts{{kMemoryWait, 226}, {kDramWait, 196}, {kTlbWait, 30}}));
  load(kPage + 8);
  EXPECT_EQ(waits(), Counts{});
  load(kPage + 0x40);
  EXPECT_EQ(waits(), (Counts{{kMemoryWait, 196}, {kDramWait, 196}}));
}

TEST_F(AccountingTest, AWaitIsASampleOfEachOfItsEvents) {
  set_period(EventId::kMemoryWait, 300);
  set_period(EventId::kTlbWait, 30);
  load(kPage);
  load(kPage + 0x40);
  ASSERT_EQ(samples_.size(), 2u);
  EXPECT_EQ(samples_[0].id, EventId::kTlbWait);
  EXPECT_EQ(samples_[0].cause.address, kPage);
  EXPECT_EQ(samples_[1].id, EventId::kMemoryWait);
  EXPECT_EQ(samples_[1].cause.address, kPage + 0x40);
  EXPECT_EQ(samples_[1].cause.outcome.level, model::Level::kMemory);
}

TEST_F(AccountingTest, WaitsAreCountedInWholeCyclesAndNothingIsLost) {
  WholeCycles cycles;
  constexpr uint64_t kParts = 40;
  uint64_t whole = 0;
  for (int i = 0; i < 64; ++i) whole += cycles.take_whole(EventId::kL2Wait, kParts);
  EXPECT_EQ(whole, 64 * kParts / model::Costs::kPerCycle);
  EXPECT_EQ(cycles.take_whole(EventId::kL3Wait, model::Costs::kPerCycle - 1), 0u)
      << "rests are the event's own";
  WaitSums sums;
  uint64_t taken = 0;
  for (int i = 0; i < 64; ++i) {
    sums.add(EventId::kL2Wait, kParts);
    taken += sums.take(EventId::kL2Wait);
  }
  EXPECT_EQ(taken, whole);
}

class Fetches : public AccountingTest {
 protected:
  void SetUp() override { page()->number = 0x401; }
  model::CodePage* page() { return reinterpret_cast<model::CodePage*>(page_.data()); }

  std::vector<uint64_t> page_ = std::vector<uint64_t>(model::CodePage::bytes(64) / sizeof(uint64_t) + 1);
};

TEST_F(Fetches, CountLinesAndPages) {
  using enum EventId;
  set_period(kICacheMiss, 2);
  account().on_fetch(0, *page(), 10);
  EXPECT_EQ(counted(), (Counts{{kICacheMiss, 1}, {kItlbMiss, 1}}));
  EXPECT_EQ(stalled(), 200u + 30 - 4);
  account().on_fetch(2, *page(), 12);
  EXPECT_EQ(counted(), (Counts{{kICacheMiss, 1}}));
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_EQ(samples_[0].cause.ip, kIp);
  EXPECT_EQ(samples_[0].cause.address, 0x401080u);
  EXPECT_EQ(samples_[0].cause.bytes, 64u);
  EXPECT_EQ(samples_[0].cause.kind, AccessKind::kFetch);
}

TEST_F(Fetches, AreSplitWhereOneInstructionMissedTwice) {
  account().on_fetch(0, *page(), 10);
  account().on_fetch(1, *page(), 11);
  EXPECT_EQ(counters_.total(EventId::kSplitFetchMiss), 1u);
  account().on_fetch(2, *page(), 12);
  account().on_fetch(3, *page(), 14);
  EXPECT_EQ(counters_.total(EventId::kSplitFetchMiss), 1u) << "two instructions";
  account().on_fetch(4, *page(), 17);
  EXPECT_EQ(counters_.total(EventId::kSplitFetchMiss), 1u) << "the first line was there";
}

TEST_F(Fetches, OfTwoCoresAreNoneOfEachOther) {
  TestCore other;
  std::vector<uint64_t> others_words = page_;
  account().on_fetch(0, *page(), 10);
  on(other).on_fetch(1, *reinterpret_cast<model::CodePage*>(others_words.data()), 11);
  EXPECT_EQ(counters_.total(EventId::kICacheMiss), 2u);
  EXPECT_EQ(counters_.total(EventId::kItlbMiss), 2u);
  EXPECT_EQ(counters_.total(EventId::kSplitFetchMiss), 0u);
}

TEST_F(AccountingTest, AThreadTakesItsCountersToAnotherCore) {
  TestCore other;
  load(kPage);
  on(other).on_data(kPage, kLoad, next());
  load(kPage);
  EXPECT_EQ(counters_.total(EventId::kL1CacheMiss), 2u);
  EXPECT_EQ(other.core.costs.cycles_after(0), core_.core.costs.cycles_after(0));
}

TEST_F(AccountingTest, WhatTranslatedCodeCountedDownIsSampled) {
  set_period(EventId::kInstrRetired, 5);
  *counters_.remaining(EventId::kInstrRetired) -= 5;
  account().on_overflow(EventId::kInstrRetired, 0x402000, 20);
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_EQ(samples_[0].cause.ip, 0x402000u);
  EXPECT_EQ(samples_[0].cause.kind, AccessKind::kNone);
  EXPECT_EQ(samples_[0].period, 5u);
  EXPECT_EQ(samples_[0].now, 20u);
}

TEST_F(AccountingTest, MemoryEventsAreSampledByThoseThatAreDown) {
  using enum EventId;
  set_period(kMemoryLoads, 3);
  set_period(kMemoryMoves, 2);
  const auto move = [&](EventId own, AccessInfo info) {
    samples_.clear();
    for (EventId id : {own, kMemoryMoves}) --*counters_.remaining(id);
    account().on_memory_overflow(kPage, info, next());
    std::vector<EventId> ids;
    for (const Sample& sample : samples_) ids.push_back(sample.id);
    return ids;
  };
  using Ids = std::vector<EventId>;
  EXPECT_EQ(move(kMemoryLoads, kLoad), Ids{});
  EXPECT_EQ(move(kMemoryLoads, kLoad), Ids{kMemoryMoves});
  EXPECT_EQ(samples_[0].cause.address, kPage);
  EXPECT_EQ(move(kMemoryStores, kStore), Ids{}) << "memory_stores takes no samples";
  EXPECT_EQ(move(kMemoryLoads, kLoad), (Ids{kMemoryLoads, kMemoryMoves}));
}

TEST_F(AccountingTest, BlockedAndAliasedLoadsAreReplayed) {
  account().on_buffer_store(kPage, kStore, next());
  account().on_buffer_load(kPage, kLoad, next());
  EXPECT_EQ(counters_.total(EventId::kMobLoadReplayRetired), 0u) << "forwarded";
  account().on_buffer_load(kPage + 4, kLoad, next());
  EXPECT_EQ(counters_.total(EventId::kMobLoadReplayRetired), 1u) << "overlaps in part";
  account().on_buffer_load(kPage + 0x1000, kLoad, next());
  EXPECT_EQ(counters_.total(EventId::kMobLoadReplayRetired), 2u) << "another page's same place";
  now_ += 2 * model::StoreBuffer::kLifetimeInstructions;
  account().on_buffer_load(kPage + 4, kLoad, next());
  EXPECT_EQ(counters_.total(EventId::kMobLoadReplayRetired), 2u) << "long written";
}

TEST_F(AccountingTest, MispredictionsCountAndCost) {
  set_period(EventId::kBranchMispredict, 2);
  account().on_conditional(kIp, true, 10);
  account().on_conditional(kIp, false, 12);  // mispredicted
  account().on_indirect(kIp, 0x500000, 14);  // mispredicted
  account().on_indirect(kIp, 0x500000, 16);
  account().on_call(0x401005);
  account().on_call(0x401006);
  account().on_return(0x500010, 0x401006, 18);
  account().on_return(0x500020, 0x400000, 20);  // mispredicted
  EXPECT_EQ(counters_.total(EventId::kBranchMispredict), 3u);
  EXPECT_EQ(stalled(), 3u * 15);
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_EQ(samples_[0].now, 14u);
  EXPECT_EQ(samples_[0].cause.ip, kIp);
}

// Two independent misses: the second one waits only for its turn.
TEST_F(AccountingTest, SamplesHaveTheEstimatedWaitIfCostsAreCalibrated) {
  model::Costs costs;
  costs.slot = model::Costs::kPerCycle / 4;
  costs.levels[static_cast<uint32_t>(model::Level::kMemory)] = {.latency = 300 * model::Costs::kPerCycle,
                                                                .overlapped = 20 * model::Costs::kPerCycle};
  TestCore calibrated(&costs);
  set_period(EventId::kL1CacheMiss, 1);
  on(calibrated).on_data(kPage, kLoad, 1000);
  on(calibrated).on_data(kPage + 0x80, kLoad, 1002);
  ASSERT_EQ(samples_.size(), 2u);
  EXPECT_EQ(samples_[0].cause.outcome.latency_cycles, 300u + 4) << "and that of a hit";
  EXPECT_EQ(samples_[1].cause.outcome.latency_cycles, 4u) << "it is complete before the first one";
}

TEST_F(AccountingTest, TheClockCountsCyclesOfTheCostModel) {
  account().on_clock(kIp, kFirstTick + 2 * 100);
  EXPECT_EQ(counters_.total(EventId::kClock), 100u) << "one a slot";
  account().on_data(kPage, kLoad, kFirstTick + 2 * 100);
  account().on_clock(kIp, kFirstTick + 2 * 101);
  EXPECT_EQ(counters_.total(EventId::kClock), 101u + 200 + 30 - 4);
}

TEST_F(AccountingTest, SlotsOfTheKernelTakeNoTime) {
  model::Costs costs;
  costs.slot = model::Costs::kPerCycle / 4;
  TestCore calibrated(&costs);
  for (TestCore* each : {&core_, &calibrated}) {
    uint64_t before = each->core.costs.cycles_after(1000);
    each->core.costs.add_free_slots(500);
    EXPECT_EQ(each->core.costs.cycles_after(1500), before);
  }
}

TEST(AccessInfo, ComesOutAsItWentIn) {
  for (uint32_t bytes : {1u, 64u, 4095u}) {
    for (AccessKind kind : {AccessKind::kLoad, AccessKind::kStore, AccessKind::kReadModifyWrite}) {
      for (bool locked : {false, true}) {
        AccessInfo info = AccessInfo::unpack(AccessInfo{bytes, kind, locked}.pack());
        EXPECT_EQ(info.bytes(), bytes);
        EXPECT_EQ(info.kind(), kind);
        EXPECT_EQ(info.locked(), locked);
      }
    }
  }
}

}  // namespace
}  // namespace hm::soft
