// SPDX-License-Identifier: MIT
// The recorder's side of ring/spare_ring.h.
#pragma once

#include <cstdint>

#include "pmu/soft/launcher/session_folder.h"

namespace hm::soft {

class SpareRings {
 public:
  explicit SpareRings(const SessionFolder& folder) : folder_(folder) {}

  // Makes spare rings if processes wait for them, and renames used ones to a ring's name. Returns whether it
  // renamed any. Called in each round.
  bool serve();

 private:
  void make(uint32_t index);
  void rename_taken(uint32_t index);

  const SessionFolder& folder_;
  uint64_t taken_ = 0;  // number of spare rings taken so far
};

}  // namespace hm::soft
