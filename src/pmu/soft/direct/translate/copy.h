// SPDX-License-Identifier: MIT
// Copies single instructions so that they do at another address what they did at their own, although three
// registers are reserved (core.h).
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/emitter.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

// An operand's place in memory, as the copy has to name it: r10 and r11 hold the values of those of its
// registers that are reserved.
struct Operand {
  Memory memory;
  Segment segment;
  bool address32;
  bool absolute;  // at `target`, with none of the other fields
  uint64_t target;
};

// to = the target's value of a register.
void emit_register(Emitter& out, Reg to, Reg of);

// Loads what the operand's address needs into r10 and r11; both may change.
Operand prepare_operand(Emitter& out, const Access& access);

// to = the operand's address, the segment's base included. Keeps flags where the operand has no segment.
void emit_address(Emitter& out, Reg to, const Operand& operand);

// to = the 64-bit word at the operand. Keeps flags.
void emit_load(Emitter& out, Reg to, const Operand& operand);

// to = `value`, by the shortest code that keeps flags.
void emit_constant(Emitter& out, Reg to, uint64_t value);

// Whether its copy changes neither r10 nor r11.
bool leaves_scratch_alone(const Instruction& instruction);

// The instruction itself, one that does not branch. r10 and r11 may change. `absent`: the copy ends with an
// invalid-opcode fault where the instruction would run, as on a processor that lacks it.
Spills copy_instruction(Emitter& out, const Step& step, bool absent);

// ud2.
void emit_invalid_opcode(Emitter& out);

}  // namespace hm::soft::direct
