// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "symbol/unwind/frame_rule.h"
#include "symbol/unwind/registers.h"
#include "symbol/unwind/stack_copy.h"

namespace hm::symbol {

// The kernel's own limit on call chains (proc(5), /proc/sys/kernel/perf_event_max_stack).
inline constexpr size_t kMaxFrames = 127;

// Returns the rule for the code at an address; nullptr if none is known.
using RuleAt = std::function<const FrameRule*(uint64_t address)>;

// Rule for a function that keeps a frame pointer (System V ABI for x86-64, 3.2.2), valid after its prologue.
[[nodiscard]] const FrameRule& frame_pointer_rule();

// Unwinds the stack of an x86-64 thread. Appends code addresses, innermost first: the instruction pointer,
// then each call; at most kMaxFrames. `registers` are the thread's, numbered as in symbol/unwind/registers.h.
// Unwinding ends at the end of the stack, or when the registers, the stack copy or the rules do not determine
// the caller: nothing is guessed.
void unwind(const RegisterValues& registers, const StackCopy& stack, const RuleAt& rule_at,
            std::vector<uint64_t>& places);

}  // namespace hm::symbol
