// SPDX-License-Identifier: MIT
// Addresses that can be compared by their displacements alone, from one instruction to the next.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// The store of a call instruction.
inline constexpr Access kPushOfReturnAddress{
    .displacement = -8, .bytes = 8, .kind = AccessKind::kPush, .base = kSp, .stores = true};

// Returns the change of the stack pointer by a push or pop of a register, or a push of a constant; 0 for all
// others.
inline int64_t stack_move(const Instruction& instruction) {
  constexpr uint8_t kPushImmediate = 0x68, kPushByte = 0x6a, kPopSp = 0x5c;
  if (instruction.encoding != Encoding::kLegacy || instruction.map != 0) return 0;
  uint8_t opcode = instruction.opcode;
  int64_t bytes = instruction.accesses[0].bytes;
  if ((opcode >= 0x50 && opcode <= 0x57) || opcode == kPushImmediate || opcode == kPushByte) return -bytes;
  return opcode >= 0x58 && opcode <= 0x5f && opcode != kPopSp ? bytes : 0;
}

// Returns true if the address uses only registers that are not reserved, and no segment.
inline bool names_plain_address(const Access& access) {
  bool usual = access.kind == AccessKind::kOperand || access.kind == AccessKind::kPush ||
               access.kind == AccessKind::kPop;
  return usual && access.segment == Segment::kNone && !access.address32 && !access.rip_relative &&
         !is_reserved(access.base) && !is_reserved(access.index);
}

}  // namespace hm::soft::direct
