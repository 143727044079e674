// SPDX-License-Identifier: MIT
#include "app/measure/soft/typical_costs.h"

#include <algorithm>

namespace hm::measure {
namespace {

constexpr double kGhz = 4;

constexpr uint32_t cycles(double count) { return static_cast<uint32_t>(count * model::Costs::kPerCycle); }

}  // namespace

CalibratedCosts typical_costs() {
  model::Costs costs;
  costs.slot = cycles(0.2);
  // Each: a load that waits for the one before, one of independent loads, the next line of a walk, a store.
  costs.levels[1] = {cycles(10), cycles(1), cycles(1), cycles(1)};
  costs.levels[2] = {cycles(46), cycles(4), cycles(3), cycles(5)};
  costs.levels[3] = {cycles(360), cycles(30), cycles(14), cycles(28)};
  std::ranges::fill(costs.l3_quarters, costs.levels[2]);
  costs.second_tlb = cycles(7);
  costs.page_walk = cycles(25);
  costs.transferred = cycles(120);
  costs.mispredict = cycles(16);
  costs.pipeline = {.width = cycles(1.0 / 6),
                    .integer = cycles(1.0 / 4),
                    .vector = cycles(1.0 / 4),
                    .load = cycles(1.0 / 3),
                    .store = cycles(1.0 / 2),
                    .taken_branch = cycles(1),
                    .l1_latency = cycles(4),
                    .vector_load_more = cycles(3),
                    .window = 320};
  costs.window_slots = 420;
  constexpr double kFollowed[model::Costs::kSteps] = {14, 24,  28, 32,
                                                      60, 120, 0};  // steps of 1, 2, 4, ... lines
  std::ranges::transform(kFollowed, costs.followed, cycles);
  return {
      costs,
      "estimated time on a typical server processor of 2020 to 2025 at 4 GHz (built-in costs, not measured on this machine): misses overlap, and prefetchers hide walks; hardmeter calibrate measures this machine",
      kGhz, true};
}

}  // namespace hm::measure
