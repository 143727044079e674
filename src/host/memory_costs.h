// SPDX-License-Identifier: MIT
// What the levels of this machine's memory cost: what was measured, beside what the system reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/host_caches.h"
#include "host/levels.h"
#include "host/sweep.h"

namespace hm::host {

// A level that was found, one that the system reports, or both.
struct LevelCost {
  std::string name;            // "L1", "L2", ..., "memory"
  std::optional<Level> found;  // nothing: the curve does not show it
  std::optional<uint64_t> told_bytes;
  // At the level's sizes; nothing where no steady point lies there, or the pages were not huge.
  std::optional<Estimate> small_ns;
  std::optional<Estimate> huge_ns;
};

struct MemoryCosts {
  Sweep sweep;
  bool virtual_machine = false;
  bool huge_pages = false;  // at least kHugeEnough of that memory was: levels are taken from its curve
  std::vector<LevelCost> levels;
  bool rises_at_end = false;
  std::optional<uint64_t> small_pages_suffice_to_bytes;  // see levels.h
  size_t unsteady_points = 0;                            // of both curves
  std::optional<Estimate> core_ghz;  // the median; low and high are the 5th and 95th of a hundred points
};

inline constexpr double kHugeEnough = 0.9;

// A pure function. `told`: the caches of the CPU that was measured. The last level is "memory" if it was
// measured beyond twice the last cache told, and beyond some cache found; else it is the next cache.
[[nodiscard]] MemoryCosts memory_costs(Sweep sweep, const std::vector<HostCache>& told, bool virtual_machine);

}  // namespace hm::host
