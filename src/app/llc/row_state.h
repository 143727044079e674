// SPDX-License-Identifier: MIT
// State of one row across refreshes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "app/llc/rows.h"
#include "pmu/rdt/provider.h"

namespace hm::llc {

// Number of refreshes for which a new group's occupancy is a lower bound. Lines that its threads loaded
// before the group existed are attributed to other groups until they are evicted.
inline constexpr uint64_t kWarmUpRefreshes = 3;

class RowState {
 public:
  WantedRow wanted;
  bool is_wanted = false;  // at this refresh

  [[nodiscard]] bool is_measured() const { return group_ != nullptr; }
  [[nodiscard]] rdt::Group& group() { return *group_; }
  // Returns the number of refreshes in the current turn.
  [[nodiscard]] uint64_t refreshes() const { return refreshes_; }
  // Returns the time of the last measurement; 0: never.
  [[nodiscard]] uint64_t last_ns() const { return last_ns_; }

  // Begins a turn. `exact`: the group includes its threads' lines from the start.
  void begin_turn(std::unique_ptr<rdt::Group> group, bool exact, uint64_t now_ns);
  // Replaces the object for the current group. Such a turn never ends.
  void replace_group(std::unique_ptr<rdt::Group> group, uint64_t now_ns);
  void end_turn();
  // Returns true if the member is not in the group yet and must be added.
  [[nodiscard]] bool is_new(pid_t member) { return members_.insert(member).second; }
  // Records that a thread of the row is in the group, so that the group's readings apply to the row.
  void has_thread() { has_thread_ = true; }
  // Records that another program already monitors the member, which therefore could not be added. The next
  // refresh tries to add it again.
  void lacks(pid_t member) { members_.erase(member); }

  // Returns the current row. `cache_bytes` is the upper limit of the occupancy; 0: unknown.
  [[nodiscard]] occupancy::Row read(uint64_t now_ns, uint64_t cache_bytes);

 private:
  // Memory bandwidth counters at the time of reading.
  struct Traffic {
    uint64_t time_ns = 0;
    std::optional<uint64_t> total_bytes, local_bytes;
  };

  void read_group(uint64_t now_ns);
  [[nodiscard]] std::vector<rdt::Reading> readings();
  void set_interval(uint64_t cache_bytes);
  [[nodiscard]] bool is_warm() const { return exact_ || refreshes_ > kWarmUpRefreshes; }

  std::unique_ptr<rdt::Group> group_;  // null: not being measured
  bool exact_ = false;
  std::set<pid_t> members_;  // processes or threads added to the group
  bool has_thread_ = false;
  uint64_t refreshes_ = 0;
  uint64_t first_ns_ = 0;     // time when the row first appeared
  uint64_t since_ns_ = 0;     // time of the last refresh of this turn
  uint64_t measured_ns_ = 0;  // measured time, summed over all turns
  uint64_t last_ns_ = 0;
  Traffic traffic_;
  std::deque<double> held_at_ends_;  // occupancy in bytes at the end of the latest turns
  occupancy::Row row_;
};

}  // namespace hm::llc
