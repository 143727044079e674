// SPDX-License-Identifier: MIT
// Control flow after an instruction, and the register contents that a branch requires.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

class Decoder;

enum class Flow : uint8_t {
  kNext,          // to the next instruction
  kBranch,        // to its target or to the next instruction
  kJump,          // to its target
  kRegisterJump,  // to the address in a register
  kMemoryJump,    // to the address in a word in memory
  kAway,          // a call or system call: control returns to the next instruction from other code
  kEnd,           // a return or a trap
};

// The condition of a jump: the low four bits of its opcode (Intel SDM, volume 2, B.1.4.7, "tttn").
inline constexpr uint8_t kNoCondition = 0xff;

struct FlowInstruction {
  uint8_t length = 0;  // bytes
  Flow flow = Flow::kNext;
  uint8_t condition = kNoCondition;     // of a kBranch that tests only flags
  uint8_t jump_register = kNoRegister;  // of a kRegisterJump: numbered as in symbol/unwind/registers.h
  // True if an interrupt can hit the instruction half done. The interrupt then reports its own address, not
  // the next one: a repeated string instruction or a gather (Intel SDM, volume 2, "REP" and "VPGATHERDD").
  bool restarts = false;
  std::optional<uint64_t> target;      // of a kBranch or kJump
  std::optional<uint64_t> taken_code;  // address computed by `lea` relative to the instruction pointer
};

// Decodes the instruction at the start of `code`, running at `address`; nullopt if it is invalid.
[[nodiscard]] std::optional<FlowInstruction> decode_flow(Decoder& decoder, Bytes code, uint64_t address);

// Returns true if a jump with this condition is taken; `flags` has the format of RFLAGS.
[[nodiscard]] bool condition_holds(uint8_t condition, uint64_t flags);

}  // namespace hm::symbol
