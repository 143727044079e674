// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches at one moment.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hm::occupancy {

// The unit that a row represents.
enum class By : uint8_t { kCpu, kThread, kProcess, kTree, kCgroup, kVm, kProgram };

struct InDomain {
  uint32_t domain = 0;  // ID of the cache
  std::optional<uint64_t> occupancy_bytes;
};

// Members are nullopt if not measured.
struct Row {
  std::string key;                          // identifies the row across snapshots
  std::string name;                         // display name
  std::optional<pid_t> pid;                 // of a process or a thread
  size_t members = 0;                       // number of processes or threads in the row
  std::string parent;                       // key of the parent row; empty: none
  std::optional<uint64_t> occupancy_bytes;  // in all caches
  std::vector<InDomain> domains;
  std::optional<uint64_t> total_bytes;  // Cumulative bytes transferred over the memory bus. The counter's
                                        // origin is unspecified but fixed while the row is measured.
  std::optional<double> total_bytes_per_s, local_bytes_per_s;
  uint64_t ways = 0;        // CAT mask of the ways it may allocate into; 0: unrestricted
  bool is_foreign = false;  // a group made by another program; other rows may include its occupancy too
  // If there are more groups than monitoring IDs, the groups are measured in turn.
  double measured_share = 0;  // fraction of the time since the row first appeared
  uint64_t age_ns = 0;        // age of the last measurement
  // 95 % limits of the current occupancy, derived from changes between measurements. Equal to the occupancy
  // if the measurement is current.
  uint64_t low_bytes = 0, high_bytes = 0;
};

struct Snapshot {
  uint64_t time_ns = 0;      // CLOCK_MONOTONIC
  double elapsed_s = 0;      // since the first snapshot
  std::string measured_by;   // "resctrl", "libpqos", "software PMU"
  bool is_modelled = false;  // values come from the software PMU's modelled cache, not from a real one
  By by = By::kProcess;
  uint64_t cache_bytes = 0;  // sum of all last-level caches; 0: unknown
  bool has_total_bandwidth = false, has_local_bandwidth = false;
  std::vector<Row> rows;
  std::vector<std::string> remarks;  // sentences about missing or doubtful values
};

}  // namespace hm::occupancy
