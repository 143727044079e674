// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "symbol/unwind/frame_rule.h"
#include "symbol/unwind/registers.h"
#include "symbol/unwind/stack_copy.h"

namespace hm::symbol {

// The data that an expression of call frame information may use: one frame.
struct FrameView {
  const RegisterValues& registers;
  const StackCopy& stack;
  std::optional<uint64_t> cfa;  // nullopt while it is being computed
};

// Evaluates a DWARF expression (DWARF 5, section 2.5) of the kind that compilers, linkers and C libraries use
// in call frame information: without jumps and calls, so evaluation takes one step per operation. Returns
// nullopt for other expressions, and if a required register or memory word is unknown.
[[nodiscard]] std::optional<uint64_t> evaluate(std::span<const FrameOperation> expression,
                                               const FrameView& frame);

}  // namespace hm::symbol
