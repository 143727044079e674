// SPDX-License-Identifier: MIT
// The recorder's side of ring/spare_ring.h.
#pragma once

#include <cstdint>

#include "pmu/soft/launcher/session_folder.h"

namespace hm::soft {

class SpareRings {
 public:
  explicit SpareRings(const SessionFolder& folder) : folder_(folder) {}

  // Creates spare rings if processes wait for any, and renames the taken ones to ring names. Returns true if
  // any ring was renamed. To be called in each round.
  bool serve();

 private:
  void make(uint32_t index);
  void rename_taken(uint32_t index);

  const SessionFolder& folder_;
  uint64_t taken_ = 0;  // number of spare rings that were taken
};

}  // namespace hm::soft
