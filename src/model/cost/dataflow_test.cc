// SPDX-License-Identifier: MIT
#include "model/cost/dataflow.h"

#include <gtest/gtest.h>

#include <vector>

namespace hm::model {
namespace {

constexpr uint32_t kOneCycle = Costs::kPerCycle;

// Eight instructions in a cycle, four integer units, two loads.
Pipeline some_pipeline() {
  return {.width = kOneCycle / 8,
          .integer = kOneCycle / 4,
          .vector = kOneCycle / 2,
          .load = kOneCycle / 2,
          .store = kOneCycle,
          .taken_branch = kOneCycle,
          .l1_latency = 4 * kOneCycle,
          .vector_load_more = 3 * kOneCycle,
          .window = 100};
}

constexpr uint64_t set_of(unsigned one) { return uint64_t{1} << one; }

FlowInstruction add(unsigned from, unsigned to) {
  return {.reads = set_of(from) | set_of(to), .writes = set_of(to), .latency = 1, .unit = Unit::kInteger};
}
FlowInstruction load(unsigned address, unsigned to) {
  return {.address = set_of(address), .writes = set_of(to), .loads = 1};
}

double cycles(const std::vector<FlowInstruction>& path) {
  return static_cast<double>(time_of_path(some_pipeline(), path.data(), static_cast<unsigned>(path.size()))) /
         kOneCycle;
}

TEST(Dataflow, OfAChainTakesItsLatencies) {
  FlowInstruction multiply = add(1, 1);
  multiply.latency = 3;
  EXPECT_NEAR(cycles({add(1, 1)}), 1, 0.01);
  EXPECT_NEAR(cycles({add(1, 1), multiply}), 4, 0.01);
  EXPECT_NEAR(cycles({load(1, 1)}), 4, 0.01) << "a pointer chase in the first level";
  FlowInstruction to_vector = load(1, Registers::kVectors);
  to_vector.to_vector = true;
  FlowInstruction back = {.reads = set_of(Registers::kVectors), .writes = set_of(1)};
  EXPECT_NEAR(cycles({to_vector, back}), 7, 0.01);
}

TEST(Dataflow, OfIndependentInstructionsIsLimitedByUnitsAndWidth) {
  std::vector<FlowInstruction> additions;
  for (unsigned i = 0; i < 8; ++i) additions.push_back(add(i, i));
  EXPECT_NEAR(cycles(additions), 2, 0.05) << "four units";
  std::vector<FlowInstruction> nothing(16);
  EXPECT_NEAR(cycles(nothing), 2, 0.01) << "eight in a cycle";
  std::vector<FlowInstruction> loads;
  for (unsigned i = 0; i < 8; ++i) loads.push_back(load(15, i));
  EXPECT_NEAR(cycles(loads), 4, 0.05) << "two in a cycle";
  EXPECT_NEAR(cycles({{.stores = 1}, {.stores = 1}}), 2, 0.05) << "one in a cycle";
}

TEST(Dataflow, OfADivisionWaitsForItsUnit) {
  FlowInstruction divide = {
      .reads = set_of(1), .writes = set_of(2), .latency = 14, .unit = Unit::kDivider, .busy = 8};
  EXPECT_NEAR(cycles({divide}), 8, 0.1);
  std::vector<FlowInstruction> with_additions{divide};
  for (unsigned i = 3; i < 11; ++i) with_additions.push_back(add(i, i));
  EXPECT_NEAR(cycles(with_additions), 8, 0.1) << "the other units are free";
  divide.reads = divide.writes;
  EXPECT_NEAR(cycles({divide}), 14, 0.1) << "each needs the one before";
}

TEST(Dataflow, BeginsAgainBehindWhatSerializes) {
  FlowInstruction fence = {.latency = 30, .serializes = true};
  EXPECT_NEAR(cycles({fence, add(1, 1), add(2, 2)}), 30, 1);
}

// With short latencies behind it, the slowest part must still decide.
TEST(Dataflow, OfACopyIsThatOfItsStores) {
  FlowInstruction store = {.reads = set_of(2), .stores = 1};
  EXPECT_NEAR(cycles({load(1, 2), store, load(1, 2), store, add(1, 1)}), 2, 0.05);
  FlowInstruction product = add(1, 1);
  product.latency = 3;
  FlowInstruction far = {.reads = set_of(1), .writes = set_of(3), .latency = 20, .unit = Unit::kVector};
  EXPECT_NEAR(cycles({product, add(1, 1), far}), 4, 0.2);
}

TEST(Dataflow, OfALoopTakesACycleForItsBranch) {
  FlowInstruction branch = {.branches = true};
  EXPECT_NEAR(cycles({branch}), 1, 0.01);
  FlowInstruction compare = {
      .reads = set_of(1), .writes = set_of(Registers::kFlags), .latency = 1, .unit = Unit::kInteger};
  FlowInstruction fused = {.reads = set_of(Registers::kFlags), .fused = true, .branches = true};
  std::vector<FlowInstruction> loop(15);
  loop.push_back(compare);
  EXPECT_NEAR(cycles(loop), 2, 0.1);
  loop.push_back(fused);
  EXPECT_NEAR(cycles(loop), 2, 0.1) << "with its comparison, it is one instruction";
}

// A chain of 40 cycles in each repetition, which depends on nothing before.
TEST(Dataflow, OfShortChainsOverlapsWithinTheWindow) {
  std::vector<FlowInstruction> path;
  path.push_back({.writes = set_of(1), .latency = 1, .unit = Unit::kInteger});
  for (unsigned i = 0; i < 39; ++i) path.push_back(add(1, 1));
  Pipeline pipeline = some_pipeline();
  const auto with_window = [&](uint32_t instructions) {
    pipeline.window = instructions;
    return static_cast<double>(time_of_path(pipeline, path.data(), 40)) / kOneCycle;
  };
  EXPECT_GT(with_window(10), 30) << "the next one begins when most of this one has retired";
  EXPECT_NEAR(with_window(400), 10, 0.1) << "four units";
}

TEST(Dataflow, OfAChainThroughTwoRegistersTakesBothLatencies) {
  FlowInstruction there = {.reads = set_of(1), .writes = set_of(2), .latency = 2, .unit = Unit::kInteger};
  FlowInstruction back = {.reads = set_of(2), .writes = set_of(1), .latency = 5, .unit = Unit::kInteger};
  EXPECT_NEAR(cycles({there, back}), 7, 0.01);
}

}  // namespace
}  // namespace hm::model
