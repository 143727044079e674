// SPDX-License-Identifier: MIT
// How the registers of a function's caller follow from its own, at one place in the code: a row of the call
// frame information (DWARF 5, section 6.4).
#pragma once

#include <cstdint>
#include <vector>

#include "symbol/unwind/registers.h"

namespace hm::symbol {

// Where a value comes from. The CFA (canonical frame address) is the caller's stack pointer, as it was before
// the call.
struct ValueRule {
  enum class Kind : uint8_t {
    kRegister,            // the register plus the offset
    kFrame,               // the CFA plus the offset
    kMemory,              // the word at the CFA plus the offset
    kExpression,          // what the expression computes
    kMemoryAtExpression,  // the word at the address that the expression computes
  };
  Kind kind = Kind::kRegister;
  uint8_t number = kNoRegister;  // of the register (symbol/unwind/registers.h)
  uint16_t expression = 0;       // index into FrameRule::expressions
  int64_t offset_bytes = 0;

  bool operator==(const ValueRule&) const = default;
};

// An operation of a DWARF expression (DWARF 5, section 2.5), its numbers as libdw decodes them.
struct FrameOperation {
  uint8_t atom = 0;  // DW_OP_*
  uint64_t number = 0;
  uint64_t number2 = 0;
};

struct FrameRule {
  struct Register {
    uint8_t number = kNoRegister;  // symbol/unwind/registers.h
    ValueRule value;
  };
  ValueRule cfa;
  std::vector<Register> caller;  // those that can be told, the instruction pointer among them
  std::vector<std::vector<FrameOperation>> expressions;
  // The caller did not call but was interrupted, by a signal: it goes on where it stands, not behind a call.
  bool interrupted = false;
};

}  // namespace hm::symbol
