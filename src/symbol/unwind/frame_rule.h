// SPDX-License-Identifier: MIT
// Rules that compute the registers of a function's caller from its own registers at one code location: a row
// of the call frame information (DWARF 5, section 6.4).
#pragma once

#include <cstdint>
#include <vector>

#include "symbol/unwind/registers.h"

namespace hm::symbol {

// The source of a value. The CFA (canonical frame address) is the caller's stack pointer just before the
// call.
struct ValueRule {
  enum class Kind : uint8_t {
    kRegister,            // the register plus the offset
    kFrame,               // the CFA plus the offset
    kMemory,              // the word at the CFA plus the offset
    kExpression,          // the result of the expression
    kMemoryAtExpression,  // the word at the address that the expression computes
  };
  Kind kind = Kind::kRegister;
  uint8_t number = kNoRegister;  // register number (symbol/unwind/registers.h)
  uint16_t expression = 0;       // index into FrameRule::expressions
  int64_t offset_bytes = 0;

  bool operator==(const ValueRule&) const = default;
};

// An operation of a DWARF expression (DWARF 5, section 2.5), with its operands as libdw decodes them.
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
  std::vector<Register> caller;  // registers with a rule, including the instruction pointer
  std::vector<std::vector<FrameOperation>> expressions;
  // True if the frame belongs to a signal handler: the caller was interrupted, so its instruction pointer is
  // not a return address.
  bool interrupted = false;
};

}  // namespace hm::symbol
