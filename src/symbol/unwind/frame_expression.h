// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "symbol/unwind/frame_rule.h"
#include "symbol/unwind/registers.h"
#include "symbol/unwind/stack_copy.h"

namespace hm::symbol {

// What an expression of call frame information may look at: one frame.
struct FrameView {
  const RegisterValues& registers;
  const StackCopy& stack;
  std::optional<uint64_t> cfa;  // nullopt while it is being computed
};

// Computes a DWARF expression (DWARF 5, section 2.5) of the kind that compilers, linkers and C libraries put
// into call frame information: without jumps and calls, so that it takes a step for each operation. nullopt
// for any other, and where a register or memory is not known.
[[nodiscard]] std::optional<uint64_t> evaluate(std::span<const FrameOperation> expression,
                                               const FrameView& frame);

}  // namespace hm::symbol
