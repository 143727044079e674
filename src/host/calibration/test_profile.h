// SPDX-License-Identifier: MIT
#pragma once

#include "host/calibration/machine_profile.h"

namespace hm::host {

[[nodiscard]] inline Estimate about(double value) { return {value, value * 0.99, value * 1.01}; }

// A machine with one cache.
[[nodiscard]] inline MachineProfile example_profile() {
  MachineProfile profile;
  profile.cpu_id = "Example,0,0,0";
  profile.cpu_name = "Example";
  profile.date = "2026-11-27T22:00:00Z";
  profile.core_ghz = about(3);
  profile.instructions_per_cycle = 6;
  profile.additions_per_cycle = 4;
  profile.levels = {
      {.name = "L1", .measured_bytes = 16384, .overlap = {{1, about(1.5)}, {2, about(0.8)}}},
      {.name = "memory", .measured_bytes = 1 << 26, .overlap = {{1, about(100)}, {2, about(50)}}}};
  profile.levels[0].store_ns = about(0.5);
  profile.levels[1].store_ns = about(9);
  profile.levels[1].bandwidth = {about(10), about(8), about(4)};
  profile.page_walk_ns = about(7);
  profile.walks = {{64, 1, true, about(4)}, {-128, 2, false, about(70)}};
  profile.sparse_load_ns = about(20);
  profile.hazards = {about(5), about(0.6), about(9), about(4), about(1)};
  profile.stolen_share = 0.01;
  return profile;
}

}  // namespace hm::host
