// SPDX-License-Identifier: MIT
// System calls on a range of addresses that includes the engine's memory, which a program may find in
// /proc/self/maps. The calls must not change that memory: locked, the table of touched lines alone would take
// more than the machine has.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Returns true if the call changes or locks a range that includes the engine's memory.
bool includes_own_memory(const Context& context, uint64_t number);

// Returns true if the call maps something at a fixed address, in place of the engine's memory.
bool replaces_own_memory(const Context& context, uint64_t number);

// A part of a call's range.
struct CallPart {
  uint64_t start, bytes;
};

// Returns the first part of a call's range, from `start` on, that is not the engine's memory; none if `bytes`
// is 0.
CallPart part_beside_own_memory(uint64_t start, uint64_t end);

}  // namespace hm::soft::direct
