// SPDX-License-Identifier: MIT
// The target's state at the point where copied code was interrupted.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/translate/code_cache.h"

namespace hm::soft::direct {

// Returns true if the instruction pointer is in a copy.
bool in_copied_code(uint64_t ip);

// The point of the target at which copied code was interrupted.
struct Interrupted {
  bool known;  // false: the address is in no block
  bool whole;  // the target's state is consistent: no part of the instruction at `source` has run
  bool before_instruction;  // as `whole`, but accesses of the instruction have already been modelled
  bool in_string;           // within a repeated string instruction, which can be continued from there
  uint64_t source;
  uint16_t ticks, loads, stores;  // counts of the block up to this point
  Spills spills;                  // set if the instruction itself faulted
};
Interrupted look_up(const SignalContext& registers);

// Adds the counts of the block to the core's counters, and sets the core's tick and ip to the target's.
void settle_interrupted(Core& core, const Interrupted& at, const SignalContext& registers);

// Moves the core's ip behind the instruction at the ip, which has completed.
void pass_instruction(Core& core);

// If the instruction itself faulted, restores the target's values in registers that stood in for others.
void restore_spills(const Core& core, const Interrupted& at, SignalContext& registers);

// Writes the target's reserved registers, ip and trap flag to `registers`.
void show_target(const Core& core, SignalContext& registers);
// The reverse: takes the target's registers from `registers`, and sets `registers` so that the thread
// continues in the engine, which continues the target at its ip.
void hide_target(Core& core, SignalContext& registers);

}  // namespace hm::soft::direct
