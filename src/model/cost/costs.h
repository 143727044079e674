// SPDX-License-Identifier: MIT
// What events cost on a machine, from its calibration (host/calibration). Freestanding plain data: the
// recorder writes it, the engines read it.
#pragma once

#include <stdint.h>

namespace hm::model {

struct Costs {
  static constexpr uint32_t kPerCycle = 64;  // all costs are in these parts of a cycle

  // Of an access that a level serves, beyond one that hits the first level.
  struct OfLevel {
    uint32_t latency = 0;     // a load that waits for the load before
    uint32_t overlapped = 0;  // a load among as many independent ones as the processor can have
    uint32_t prefetched = 0;  // a load of a walk that a prefetcher follows
    uint32_t store = 0;       // a store among independent ones
  };

  uint32_t slot = kPerCycle;  // an instruction or a data access that misses nothing
  OfLevel levels[4];          // by Level
  uint32_t second_tlb = 0;    // beyond a hit of the first TLB
  uint32_t page_walk = 0;
  uint32_t mispredict = 0;
  uint32_t window_slots = 320;  // how far the processor looks ahead of a load that waits
  uint32_t longest_step = 64;   // lines between two loads of a walk that a prefetcher follows
  bool crosses_pages = true;    // a prefetcher follows a walk into the next page
};

}  // namespace hm::model
