// SPDX-License-Identifier: MIT
// The bursts of all processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pmu/soft/ring/burst_groups.h"

namespace hm::soft {

class BurstList {
 public:
  // Adds the bursts of one process.
  void add(const BurstGroups& groups);
  // Adds the bursts of one process as one.
  void add_as_one(const BurstGroups& groups);
  void add(const BurstGroup& group);

  [[nodiscard]] uint64_t bursts() const { return bursts_; }
  // Groups of consecutive bursts in the order of their begins; bounded in number.
  [[nodiscard]] std::vector<BurstGroup> in_order() const;

  // Returns the begins of at most `parts` consecutive parts of the bursts, of equal numbers of slots as far
  // as possible, in order of time.
  [[nodiscard]] std::vector<uint64_t> begins_of_parts(size_t parts) const;

 private:
  static constexpr size_t kMost = 4096;  // then neighbours are joined

  std::vector<BurstGroup> groups_;
  uint64_t bursts_ = 0;
};

}  // namespace hm::soft
