// SPDX-License-Identifier: MIT
// Which loads of a path give the address of another one: by registers, through everything computed between
// them. So an index that was loaded, or a choice between two addresses after a comparison, counts like a
// pointer. Freestanding.
#pragma once

#include <stdint.h>

#include "model/cost/dataflow.h"

namespace hm::model {

inline constexpr unsigned kMaxLoadsOfPath = 64;

// Sets sources[i], for a load i of a path that runs again and again, to the set of loads (as bits) whose
// values its address depends on, in this pass or in the one before. The path has at most kMaxLoadsOfPath
// instructions.
inline void find_load_sources(const FlowInstruction* path, unsigned count, uint64_t* sources) {
  uint64_t values[Registers::kCount] = {};  // the loads on which each register's value depends
  const auto together = [&](uint64_t registers) {
    uint64_t loads = 0;
    for (; registers != 0; registers &= registers - 1)
      loads |= values[static_cast<unsigned>(__builtin_ctzll(registers))];
    return loads;
  };
  constexpr unsigned kPasses = 2;
  for (unsigned i = 0; i < kPasses * count; ++i) {
    unsigned place = i % count;
    const FlowInstruction& each = path[place];
    uint64_t value = together(each.reads);
    if (each.loads != 0) {
      sources[place] = together(each.address);
      value |= sources[place] | uint64_t{1} << place;
    }
    for (uint64_t left = each.writes; left != 0; left &= left - 1)
      values[static_cast<unsigned>(__builtin_ctzll(left))] = value;
  }
}

}  // namespace hm::model
