// SPDX-License-Identifier: MIT
// What is known of one row, from one refresh to the next.
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

// A group that has just begun holds no line yet: lines that its threads brought in before count for others
// until they are evicted. So many refreshes long what it holds is a lower bound.
inline constexpr uint64_t kWarmUpRefreshes = 3;

class RowState {
 public:
  WantedRow wanted;
  bool is_wanted = false;  // at this refresh

  [[nodiscard]] bool is_measured() const { return group_ != nullptr; }
  [[nodiscard]] rdt::Group& group() { return *group_; }
  // How many refreshes its turn has lasted.
  [[nodiscard]] uint64_t refreshes() const { return refreshes_; }
  // When it was measured last; 0: never.
  [[nodiscard]] uint64_t last_ns() const { return last_ns_; }

  // A turn begins; `exact`: the group holds its threads' lines from the beginning.
  void begin_turn(std::unique_ptr<rdt::Group> group, bool exact, uint64_t now_ns);
  // The same group, told of anew, whose turn has no end.
  void replace_group(std::unique_ptr<rdt::Group> group, uint64_t now_ns);
  void end_turn();
  // Whether it is new to the group, and has to be added.
  [[nodiscard]] bool is_new(pid_t member) { return members_.insert(member).second; }
  // One of its threads is in the group: what the group holds says something of the row.
  void has_thread() { has_thread_ = true; }
  // That member could not be added, as somebody else has it monitored: it is new again at the next refresh.
  void lacks(pid_t member) { members_.erase(member); }

  // What there is to say of it now. `cache_bytes`: as much as there can be; 0: not known.
  [[nodiscard]] occupancy::Row read(uint64_t now_ns, uint64_t cache_bytes);

 private:
  // Bytes through the memory bus: what they were when they were read.
  struct Traffic {
    uint64_t time_ns = 0;
    std::optional<uint64_t> total_bytes, local_bytes;
  };

  void read_group(uint64_t now_ns);
  [[nodiscard]] std::vector<rdt::Reading> readings();
  void set_interval(uint64_t cache_bytes);
  [[nodiscard]] bool is_warm() const { return exact_ || refreshes_ > kWarmUpRefreshes; }

  std::unique_ptr<rdt::Group> group_;  // null: it is not its turn
  bool exact_ = false;
  std::set<pid_t> members_;  // processes or threads that were put into it
  bool has_thread_ = false;
  uint64_t refreshes_ = 0;
  uint64_t first_ns_ = 0;     // when it was first there
  uint64_t since_ns_ = 0;     // the last refresh of this turn
  uint64_t measured_ns_ = 0;  // for how long it was measured, in all turns
  uint64_t last_ns_ = 0;
  Traffic traffic_;
  std::deque<double> held_at_ends_;  // of the latest turns
  occupancy::Row row_;
};

}  // namespace hm::llc
