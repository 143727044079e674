// SPDX-License-Identifier: MIT
// Who held how much of the last-level caches at one moment.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hm::occupancy {

// What a row stands for.
enum class By : uint8_t { kCpu, kThread, kProcess, kTree, kCgroup, kVm, kProgram };

struct InDomain {
  uint32_t domain = 0;  // the cache's id
  std::optional<uint64_t> occupancy_bytes;
};

// nullopt: not measured.
struct Row {
  std::string key;                          // stays the same from one snapshot to the next
  std::string name;                         // for people
  std::optional<pid_t> pid;                 // of a process, or of a thread
  size_t members = 0;                       // processes or threads that it stands for
  std::string parent;                       // the key of the row that it is shown below; empty: of none
  std::optional<uint64_t> occupancy_bytes;  // in all caches
  std::vector<InDomain> domains;
  std::optional<uint64_t> total_bytes;  // through the memory bus, since some moment that stays during a turn
  std::optional<double> total_bytes_per_s, local_bytes_per_s;
  uint64_t ways = 0;        // a mask of those of the cache that it is bounded to; 0: it is not
  bool is_foreign = false;  // a group that somebody else made: what it holds may stand in other rows, too
  // Where there are more groups than ids, each is measured in turn.
  double measured_share = 0;  // of the time since the row was first there
  uint64_t age_ns = 0;        // of what was measured last
  // Of the occupancy, at 95 %, from how it changed between measurements; both the occupancy where that is of
  // now.
  uint64_t low_bytes = 0, high_bytes = 0;
};

struct Snapshot {
  uint64_t time_ns = 0;      // CLOCK_MONOTONIC
  double elapsed_s = 0;      // since the first one
  std::string measured_by;   // "resctrl", "libpqos", "software PMU"
  bool is_modelled = false;  // of the software PMU's cache, not of a real one
  By by = By::kProcess;
  uint64_t cache_bytes = 0;  // of all last-level caches together; 0: not known
  bool has_total_bandwidth = false, has_local_bandwidth = false;
  std::vector<Row> rows;
  std::vector<std::string> remarks;  // what is missing or to be doubted: sentences
};

}  // namespace hm::occupancy
