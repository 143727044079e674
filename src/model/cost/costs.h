// SPDX-License-Identifier: MIT
// What events cost on a machine, from its calibration (host/calibration). Freestanding plain data: the
// recorder writes it, the engines read it.
#pragma once

#include <stdint.h>

namespace hm::model {

// The parts of a core that instructions share, for those that miss nothing. In parts of a cycle
// (Costs::kPerCycle): the time that each instruction, load, ... takes of its part.
struct Pipeline {
  uint32_t width = 64;    // the entry into the window
  uint32_t integer = 64;  // the units for general registers
  uint32_t vector = 64;   // the units for vector registers
  uint32_t load = 64;
  uint32_t store = 64;
  uint32_t taken_branch = 64;
  uint32_t l1_latency = 256;  // from the address to the value
  uint32_t vector_load_more = 0;
  uint32_t window = 200;  // instructions
};

struct Costs {
  static constexpr uint32_t kPerCycle = 64;  // all costs are in these parts of a cycle

  // Of an access that a level serves, beyond one that hits the first level.
  struct OfLevel {
    uint32_t latency = 0;     // a load that waits for the load before
    uint32_t overlapped = 0;  // a load among as many independent ones as the processor can have
    uint32_t delivered = 0;   // a line of a walk through successive lines
    uint32_t store = 0;       // a store among independent ones
  };

  uint32_t slot = kPerCycle;  // an instruction or a data access that misses nothing
  OfLevel levels[4];          // by Level
  // Instead of levels[Level::kL3], by the quarter of the third level in which a line was found: others use
  // this level, too, and evict lines that were not used for long.
  OfLevel l3_quarters[4];
  uint32_t second_tlb = 0;  // beyond a hit of the first TLB
  uint32_t page_walk = 0;
  uint32_t transferred = 0;  // a line that another core has modified, instead of the level's latency
  uint32_t mispredict = 0;
  Pipeline pipeline;
  uint32_t window_slots = 320;  // how far the processor looks ahead of a load that waits
  // Of a load from memory that waits for the load before, in a walk with steps of up to 1, 2, 4, ... 32 and
  // kLongestStep lines: its time beyond that of a first-level hit. 0: no prefetcher follows this distance.
  static constexpr uint32_t kSteps = 7, kLongestStep = 65;
  uint32_t followed[kSteps] = {};
  bool crosses_pages = true;  // a prefetcher follows a walk into the next page

  // Returns the cost of a walk's step, or 0 if no prefetcher follows it.
  [[nodiscard]] uint32_t of_step(uint64_t lines) const {
    if (lines > kLongestStep) return 0;
    uint32_t i = 0;
    while (i + 1 < kSteps && lines > uint64_t{1} << i) ++i;
    return followed[i];
  }
};

}  // namespace hm::model
