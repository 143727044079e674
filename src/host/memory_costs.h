// SPDX-License-Identifier: MIT
// Costs of this machine's memory levels: measured values beside those that the system reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/host_caches.h"
#include "host/levels.h"
#include "host/sweep.h"

namespace hm::host {

// A level that was measured, reported by the system, or both.
struct LevelCost {
  std::string name;            // "L1", "L2", ..., "memory"
  std::optional<Level> found;  // nullopt: the curve does not show it
  std::optional<uint64_t> reported_bytes;
  // At the level's sizes. nullopt if no point there is steady, or if the pages were not huge.
  std::optional<Estimate> small_ns;
  std::optional<Estimate> huge_ns;
};

struct MemoryCosts {
  Sweep sweep;
  bool virtual_machine = false;
  // At least kHugeEnough of that memory was in huge pages: levels come from its curve.
  bool huge_pages = false;
  std::vector<LevelCost> levels;
  bool rises_at_end = false;
  std::optional<uint64_t> small_pages_suffice_to_bytes;  // see levels.h
  size_t unsteady_points = 0;                            // in both curves
  std::optional<Estimate> core_ghz;  // median, with the 5th and 95th of a hundred points as low and high
};

inline constexpr double kHugeEnough = 0.9;

// A pure function. `told` holds the caches that the system reports for the measured CPU. The last level is
// "memory" if it was measured beyond twice the last reported cache, and beyond some measured cache. Otherwise
// it is the next cache.
[[nodiscard]] MemoryCosts memory_costs(Sweep sweep, const std::vector<HostCache>& told, bool virtual_machine);

}  // namespace hm::host
