// SPDX-License-Identifier: MIT
#include "app/measure/soft/calibrated_costs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/calibration/test_profile.h"

namespace hm::measure {
namespace {

constexpr uint32_t kCycle = model::Costs::kPerCycle;

// At 3 GHz.
uint32_t parts(double ns) { return static_cast<uint32_t>(std::lround(ns * 3 * kCycle)); }

TEST(CalibratedCosts, AreBeyondTheFirstLevel) {
  model::Costs costs = calibrated_costs(host::example_profile()).costs;
  EXPECT_EQ(costs.slot, kCycle / 4);
  EXPECT_EQ(costs.levels[3].latency, parts(100 - 1.5));
  EXPECT_EQ(costs.levels[3].overlapped, parts(50 - 0.8));
  EXPECT_EQ(costs.levels[3].store, parts(9 - 0.5));
  EXPECT_EQ(costs.levels[3].delivered, parts(64.0 / 10));
  EXPECT_EQ(costs.levels[0].latency, 0u);
  EXPECT_EQ(costs.page_walk, 21 * kCycle);
  EXPECT_EQ(costs.second_tlb, 7 * kCycle) << "not measured, so assumed";
  EXPECT_EQ(costs.mispredict, 15 * kCycle);
  EXPECT_EQ(costs.window_slots, 213u) << "five loads wait at a time, each with 31 other instructions";
}

TEST(CalibratedCosts, HaveLevelsThatTheMachineLacksAtTheSlowestOne) {
  model::Costs costs = calibrated_costs(host::example_profile()).costs;
  EXPECT_EQ(costs.levels[1].latency, costs.levels[3].latency);
}

TEST(CalibratedCosts, KnowWhichWalksPrefetchersFollow) {
  host::MachineProfile profile = host::example_profile();
  profile.walks = {{64, 1, true, host::about(4)},     {1024, 1, true, host::about(20)},
                   {1024, 1, false, host::about(30)}, {2048, 1, true, host::about(95)},
                   {4096, 1, true, host::about(60)},  {4160, 1, true, host::about(70)},
                   {64, 1, false, host::about(4.2)}};
  model::Costs costs = calibrated_costs(profile).costs;
  EXPECT_EQ(costs.of_step(1), parts(4.2 - 1.5));
  EXPECT_EQ(costs.of_step(2), 0u) << "not measured";
  EXPECT_EQ(costs.of_step(9), parts(30 - 1.5)) << "in pages of 4 KiB";
  EXPECT_EQ(costs.of_step(32), 0u) << "not followed";
  EXPECT_EQ(costs.of_step(64), parts(70 - 1.5)) << "not the walk through few sets";
  EXPECT_EQ(costs.of_step(65), parts(70 - 1.5));
  EXPECT_EQ(costs.of_step(66), 0u);
  EXPECT_TRUE(calibrated_costs(profile).costs.crosses_pages);
  profile.walks.back().ns = host::about(4 + 100.0 / 64);  // a latency in each page
  EXPECT_FALSE(calibrated_costs(profile).costs.crosses_pages);
}

TEST(CalibratedCosts, AreOfNoProfileWithAWordAboutIt) {
  Result<CalibratedCosts> none = find_calibrated_costs("no/such/machine.json");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(none.error().message.starts_with("--as no/such/machine.json")) << none.error().message;
}

}  // namespace
}  // namespace hm::measure
