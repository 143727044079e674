// SPDX-License-Identifier: MIT
// Measures who holds the last-level caches, refresh by refresh.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "app/llc/rows.h"
#include "pmu/rdt/provider.h"

namespace hm::llc {

class Monitor {
 public:
  // `provider` outlives it.
  Monitor(rdt::Provider& provider, occupancy::By by, WantedRows wanted, std::string proc = "/proc");

  // What is there now. `now_ns`: CLOCK_MONOTONIC, later than at the last call.
  [[nodiscard]] occupancy::Snapshot refresh(uint64_t now_ns);

 private:
  // Bytes through the memory bus: what they were when they were read.
  struct Traffic {
    uint64_t time_ns = 0;
    std::optional<uint64_t> total_bytes, local_bytes;
  };

  struct Row {
    WantedRow wanted;
    std::unique_ptr<rdt::Group> group;  // null: it is not measured now
    std::set<pid_t> members;            // processes or threads that were put into it
    uint64_t first_ns = 0;              // when it was first wanted
    uint64_t measured_ns = 0;           // for how long it was measured
    uint64_t since_ns = 0;              // since when, or since the last refresh
    Traffic traffic;
    occupancy::Row last;  // as it was measured last
    uint64_t last_ns = 0;
  };

  void update_rows(uint64_t now_ns);
  void start(Row& row, uint64_t now_ns);
  void add_members(Row& row);
  [[nodiscard]] std::vector<pid_t> threads_of(const WantedRow& wanted, pid_t member) const;
  void read(Row& row, uint64_t now_ns);
  [[nodiscard]] static std::optional<double> rate(std::optional<uint64_t> before, std::optional<uint64_t> now,
                                                  uint64_t elapsed_ns);

  rdt::Provider& provider_;
  occupancy::By by_;
  WantedRows wanted_;
  std::string proc_;
  std::map<std::string, Row> rows_;  // by key
  std::vector<std::string> order_;   // of the keys, as they are wanted
  std::set<std::string> obstacles_;  // why something is not measured
  std::optional<uint64_t> first_ns_;
};

}  // namespace hm::llc
