// SPDX-License-Identifier: MIT
// Example holders of a last-level cache for tests.
#pragma once

#include <optional>
#include <string>

#include "analysis/occupancy/snapshot.h"

namespace hm::screen {

inline constexpr uint64_t kMib = 1 << 20;
inline constexpr uint64_t kSecond = 1'000'000'000;

inline occupancy::Row holder(pid_t pid, const std::string& name, std::optional<uint64_t> bytes,
                             pid_t parent = 0) {
  occupancy::Row row;
  row.key = "process " + std::to_string(pid);
  row.name = name;
  row.pid = pid;
  row.members = 1;
  row.parent = parent == 0 ? "" : "process " + std::to_string(parent);
  row.occupancy_bytes = bytes;
  row.low_bytes = row.high_bytes = bytes.value_or(0);
  row.measured_share = 1;
  return row;
}

// A shell, its two children, and one process that was not measured.
inline occupancy::Snapshot holders(uint64_t second) {
  occupancy::Snapshot snapshot;
  snapshot.time_ns = (100 + second) * kSecond;
  snapshot.elapsed_s = static_cast<double>(second);
  snapshot.measured_by = "resctrl";
  snapshot.cache_bytes = 16 * kMib;
  snapshot.rows = {holder(10, "shell", kMib / 2), holder(11, "walker", (1 + second) * kMib, 10),
                   holder(12, "Batch", 4 * kMib, 10), holder(13, "new", std::nullopt)};
  return snapshot;
}

}  // namespace hm::screen
