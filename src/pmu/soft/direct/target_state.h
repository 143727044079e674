// SPDX-License-Identifier: MIT
// The target's state, where copied code was interrupted.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/code_cache.h"
#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/signal_layout.h"

namespace hm::soft::direct {

// Whether the instruction pointer is in a copy.
bool in_copied_code(uint64_t ip);

// Of what was interrupted at `registers.ip` of copied code.
struct Interrupted {
  bool known;      // false: not in a block
  bool whole;      // the state is that before `source`, with nothing of it done
  bool in_string;  // amid a repeated string instruction, which goes on from where it is
  uint64_t source;
  uint16_t ticks, loads, stores;  // done in the block
  Spills spills;                  // where the instruction itself faulted
};
Interrupted look_up(const SignalContext& registers);

// What the block has done goes to the core's counters, and its tick and ip are those of the target.
void settle_interrupted(Core& core, const Interrupted& at, const SignalContext& registers);

// The instruction at the core's ip has been done.
void pass_instruction(Core& core);

// Where the instruction itself faulted: registers that were the copy's own are the target's again.
void restore_spills(const Core& core, const Interrupted& at, SignalContext& registers);

// The general registers as the target has them, into `registers`, whose ip becomes the core's.
void show_target(const Core& core, SignalContext& registers);
// The reverse: the registers are the target's, and the thread goes on in the engine, which goes on at their
// ip.
void hide_target(Core& core, SignalContext& registers);

}  // namespace hm::soft::direct
