// SPDX-License-Identifier: MIT
// Copies single instructions so that they have the same effect at another address, although three registers
// are reserved (core.h).
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/emitter.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

// An operand in memory, as the copy has to address it: r10 and r11 hold the values of its reserved registers.
struct Operand {
  Memory memory;
  Segment segment;
  bool address32;
  bool absolute;  // at the address `target`; the other fields are unused
  uint64_t target;
};

// Emits: to = the target's value of a register.
void emit_register(Emitter& out, Reg to, Reg of);

// Loads the reserved registers of the operand's address into r10 and r11; both may change.
Operand prepare_operand(Emitter& out, const Access& access);

// Emits: to = the operand's address, including the segment's base. Preserves flags if the operand has no
// segment.
void emit_address(Emitter& out, Reg to, const Operand& operand);

// Emits: to = the 64-bit word at the operand. Preserves flags.
void emit_load(Emitter& out, Reg to, const Operand& operand);

// Emits: to = `value`, with the shortest code that preserves flags.
void emit_constant(Emitter& out, Reg to, uint64_t value);

// Returns true if the instruction's copy changes neither r10 nor r11.
bool leaves_scratch_alone(const Instruction& instruction);

// Code directly before and behind the instruction itself, where all registers that it uses hold the target's
// values, and the rest may be saved only in memory.
class Enclosure {
 public:
  virtual void before(Emitter& /*out*/) {}
  virtual void behind(Emitter& /*out*/) {}

 protected:
  ~Enclosure() = default;
};

// No such code.
class Bare final : public Enclosure {};

// Emits ud2.
void emit_invalid_opcode(Emitter& out);

// The copy ends with an invalid-opcode fault at the instruction, as on a processor that lacks it.
class Absent final : public Enclosure {
 public:
  void before(Emitter& out) override { emit_invalid_opcode(out); }
};

// Copies the instruction itself, which must not be a branch. r10 and r11 may change.
Spills copy_instruction(Emitter& out, const Step& step, Enclosure& enclosure);

}  // namespace hm::soft::direct
