// SPDX-License-Identifier: MIT
// Occupancy of the modelled last-level cache that the programs of a session share: exact, for any number of
// groups. Bytes through the memory bus are those of fetched lines; write-backs are not modelled.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/result.h"
#include "model/session_cache.h"
#include "pmu/rdt/provider.h"

namespace hm::soft {

class SessionOccupancy final : public rdt::Provider {
 public:
  // `cache` outlives it, and it outlives its groups.
  SessionOccupancy(model::SessionCache& cache, uint32_t line_bytes);

  [[nodiscard]] const rdt::Capabilities& capabilities() const override { return capabilities_; }
  // Groups read the state at the beginning of the round.
  void begin_round() override;
  // The group also includes threads that begin later.
  [[nodiscard]] Result<std::unique_ptr<rdt::Group>> watch(const rdt::Members& members) override;

 private:
  class ThreadGroup;

  // Totals of a group.
  struct Sum {
    uint64_t lines = 0, fetches = 0;
    uint32_t ways = 0;  // mask of the ways that its threads may use; 0: all
  };

  void put_into_groups();
  [[nodiscard]] uint32_t group_for(const model::LineHolder& holder) const;
  void put_into(uint32_t number, const model::LineHolder& of, uint32_t group);
  void add(uint32_t group, pid_t thread);
  void remove(uint32_t group);

  model::SessionCache& cache_;
  uint32_t line_bytes_;
  rdt::Capabilities capabilities_;
  std::vector<model::LineHolder> holders_;  // at the beginning of the round
  std::map<uint32_t, uint32_t> group_of_;   // groups of the threads that were added
  std::map<uint32_t, Sum> sums_;            // by group
  uint32_t next_group_ = 1;
};

}  // namespace hm::soft
