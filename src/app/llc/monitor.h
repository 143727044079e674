// SPDX-License-Identifier: MIT
// Measures the occupancy of the last-level caches at each refresh. If there are more rows than groups that
// the provider can measure at a time, rows are measured in turn.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "app/llc/row_state.h"
#include "app/llc/rows.h"
#include "pmu/rdt/provider.h"

namespace hm::llc {

class Monitor {
 public:
  // `provider` must outlive the monitor.
  Monitor(rdt::Provider& provider, occupancy::By by, WantedRows wanted, std::string proc = "/proc");

  // Also shows groups made by other programs, after the other rows.
  void show_foreign_groups() { shows_foreign_ = true; }

  // Returns the current snapshot. `now_ns` is in CLOCK_MONOTONIC and must increase between calls.
  [[nodiscard]] occupancy::Snapshot refresh(uint64_t now_ns);

 private:
  void update_rows();
  void add_foreign(occupancy::Snapshot& snapshot, uint64_t now_ns);
  void take_turns(uint64_t now_ns);
  void end_turns(size_t waiting);
  bool begin_turn(RowState& row, uint64_t now_ns);
  void add_members(RowState& row);
  void add_member(RowState& row, pid_t member);
  [[nodiscard]] occupancy::Snapshot begin_snapshot(uint64_t now_ns) const;

  rdt::Provider& provider_;
  occupancy::By by_;
  WantedRows wanted_;
  std::string proc_;
  std::map<std::string, RowState> rows_;  // by key
  std::vector<RowState*> order_;          // rows in the requested order
  bool shows_foreign_ = false;
  std::map<std::string, RowState> foreign_;  // by key
  std::set<std::string> remarks_;
  std::optional<uint64_t> first_ns_;
};

}  // namespace hm::llc
