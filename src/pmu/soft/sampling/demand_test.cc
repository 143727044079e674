// SPDX-License-Identifier: MIT
// Each event demands only the instrumentation that it needs.
#include "pmu/soft/sampling/demand.h"

#include <gtest/gtest.h>

#include <string>

namespace hm::soft {
namespace {

using event::EventId;

Demand demand_of_event(EventId id, bool sampled) {
  Session session{};
  session.events[event::index_of(id)] = {1, sampled ? 1u : 0u, 1, 1000};
  return demand_of(session);
}

// Returns the demands, one letter each.
std::string made(const Demand& demand) {
  std::string letters;
  const auto add = [&](bool asked, char letter) { letters += asked ? std::string(1, letter) : ""; };
  add(demand.instructions, 'i');
  add(demand.memory, 'm');
  add(demand.uops, 'u');
  add(demand.simd, 's');
  add(demand.store_buffer, 'b');
  add(demand.branches, 'r');
  add(demand.predictor, 'p');
  add(demand.clock, 'c');
  return letters;
}

struct Row {
  EventId id;
  const char* counted;
  const char* sampled;
};

TEST(Demand, OfEachEvent) {
  using enum EventId;
  // Instructions and accesses are always counted, and cache and TLB events are known at the miss.
  const Row rows[] = {{kInstrRetired, "", "i"},
                      {kMemoryLoads, "", "m"},
                      {kMemoryStores, "", "m"},
                      {kMemoryMoves, "", "m"},
                      {kUopRetired, "u", "u"},
                      {kPackedSpRetired, "s", "s"},
                      {kX87SimdMemoryMovesRetired, "s", "s"},
                      {kL1CacheMiss, "", ""},
                      {kItlbMiss, "", ""},
                      {kMobLoadReplayRetired, "b", "b"},
                      {kBranchRetired, "r", "r"},
                      {kBranchMispredict, "p", "p"},
                      {kClock, "c", "c"}};
  for (const Row& row : rows) {
    EXPECT_EQ(made(demand_of_event(row.id, false)), row.counted) << event::index_of(row.id);
    EXPECT_EQ(made(demand_of_event(row.id, true)), row.sampled) << event::index_of(row.id);
  }
}

TEST(Demand, OnlyTheModelsOfTheSession) {
  Session session{};
  session.geometry.l1i = {64, 8};
  EXPECT_TRUE(demand_of(session).data);
  session.models = Models::kFetches;
  EXPECT_FALSE(demand_of(session).data);
  EXPECT_TRUE(demand_of(session).code);
  session.models = Models::kNone;
  EXPECT_FALSE(demand_of(session).code);
}

TEST(Demand, CodeIsModelledWhereTheMachineHasACacheForIt) {
  Session session{};
  EXPECT_FALSE(demand_of(session).code);
  session.geometry.l1i = {64, 8};
  EXPECT_TRUE(demand_of(session).code);
}

TEST(Demand, OfSeveralEventsIsAllOfTheirs) {
  Session session{};
  for (auto& each : session.events) each = {1, 1, 1, 1000};
  session.branch_filter = kBranchCall | kBranchReturn;
  EXPECT_EQ(made(demand_of(session)), "imusbrpc");
  EXPECT_EQ(demand_of(session).branch_filter, uint32_t{kBranchCall | kBranchReturn});
}

std::string recorded(uint32_t filter) {
  Demand demand{};
  demand.branch_filter = filter;
  std::string kinds;
  for (BranchKind kind :
       {BranchKind::kNone, BranchKind::kConditional, BranchKind::kJump, BranchKind::kIndirectJump,
        BranchKind::kCall, BranchKind::kIndirectCall, BranchKind::kReturn}) {
    kinds += demand.records(kind) ? '1' : '0';
  }
  return kinds;
}

TEST(Demand, TheBranchStackTakesWhatItsFilterLets) {
  EXPECT_EQ(recorded(0), "0000000");
  EXPECT_EQ(recorded(kBranchAny), "0111111");
  EXPECT_EQ(recorded(kBranchCall), "0000110");
  EXPECT_EQ(recorded(kBranchReturn), "0000001");
  EXPECT_EQ(recorded(kBranchCall | kBranchReturn), "0000111");
}

TEST(FurtherUops, OneForALoadThatFeedsSomethingTwoAStore) {
  InstructionClass move;
  move.only_moves = true;
  InstructionClass other;
  EXPECT_EQ(further_uops(other, 0, 0), 0u);
  EXPECT_EQ(further_uops(move, 1, 0), 0u) << "the load is all it does";
  EXPECT_EQ(further_uops(other, 1, 0), 1u);
  EXPECT_EQ(further_uops(move, 0, 1), 2u);
  EXPECT_EQ(further_uops(move, 1, 1), 3u) << "memory to memory";
  EXPECT_EQ(further_uops(other, 2, 1), 4u);
}

}  // namespace
}  // namespace hm::soft
