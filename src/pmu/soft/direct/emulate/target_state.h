// SPDX-License-Identifier: MIT
// The target's state where copied code was interrupted.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/translate/code_cache.h"

namespace hm::soft::direct {

// Whether the instruction pointer is in a copy.
bool in_copied_code(uint64_t ip);

// What is known of the place where copied code was interrupted.
struct Interrupted {
  bool known;  // false: not in a block
  bool whole;  // the target's state is consistent: that before `source`, nothing of which has been done
  bool before_instruction;  // that before `source`, but for accesses of it that have been modelled
  bool in_string;           // within a repeated string instruction, which can be continued from there
  uint64_t source;
  uint16_t ticks, loads, stores;  // that the block has done
  Spills spills;                  // where the instruction itself faulted
};
Interrupted look_up(const SignalContext& registers);

// Adds what the block has done to the core's counters; sets the core's tick and ip to the target's.
void settle_interrupted(Core& core, const Interrupted& at, const SignalContext& registers);

// The instruction at the core's ip has been done: the ip moves behind it.
void pass_instruction(Core& core);

// Where the instruction itself faulted: registers that stood in for others get the target's values again.
void restore_spills(const Core& core, const Interrupted& at, SignalContext& registers);

// Writes the target's general registers, flags and ip to `registers`.
void show_target(const Core& core, SignalContext& registers);
// The reverse: takes the target's registers from `registers`, and sets these so that the thread continues in
// the engine, which continues the target at its ip.
void hide_target(Core& core, SignalContext& registers);

}  // namespace hm::soft::direct
