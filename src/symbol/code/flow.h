// SPDX-License-Identifier: MIT
// Where control goes after an instruction, and what the registers must hold if it went there.
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
  kRegisterJump,  // to where a register points
  kMemoryJump,    // to where a word in memory points
  kAway,          // a call or a system call: comes back to the next instruction from elsewhere
  kEnd,           // a return or a trap
};

// The condition of a jump: the low four bits of its opcode (Intel SDM, volume 2, B.1.4.7, "tttn").
inline constexpr uint8_t kNoCondition = 0xff;

struct FlowInstruction {
  uint8_t length = 0;  // bytes
  Flow flow = Flow::kNext;
  uint8_t condition = kNoCondition;     // of a kBranch that tests flags only
  uint8_t jump_register = kNoRegister;  // of a kRegisterJump: symbol/unwind/registers.h
  // An interrupt may find it half done, and then points at it, not behind it: a repeated string instruction,
  // a gather (Intel SDM, volume 2, "REP" and "VPGATHERDD").
  bool restarts = false;
  std::optional<uint64_t> target;      // of a kBranch or kJump
  std::optional<uint64_t> taken_code;  // what `lea` relative to the instruction pointer makes
};

// The instruction that `code` begins with, running at `address`; nullopt where it begins with none.
[[nodiscard]] std::optional<FlowInstruction> decode_flow(Decoder& decoder, Bytes code, uint64_t address);

// Whether a jump with this condition is taken; `flags` as in RFLAGS.
[[nodiscard]] bool condition_holds(uint8_t condition, uint64_t flags);

}  // namespace hm::symbol
