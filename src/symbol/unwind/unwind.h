// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "symbol/unwind/frame_rule.h"
#include "symbol/unwind/registers.h"
#include "symbol/unwind/stack_copy.h"

namespace hm::symbol {

// As many as the kernel walks by itself (proc(5), /proc/sys/kernel/perf_event_max_stack).
inline constexpr size_t kMaxFrames = 127;

// The rule for the code at an address; nullptr where none is known.
using RuleAt = std::function<const FrameRule*(uint64_t address)>;

// Of a function that keeps a frame pointer (System V ABI for x86-64, 3.2.2), behind its first instructions.
[[nodiscard]] const FrameRule& frame_pointer_rule();

// Appends the places in the code where an x86-64 thread was, innermost first: where it stood, then each call;
// kMaxFrames at most. `registers`: of the thread, those of symbol/unwind/registers.h. They end where the
// stack ends, and where the registers, the copy of the stack or the rules do not tell the caller: nothing is
// guessed.
void unwind(const RegisterValues& registers, const StackCopy& stack, const RuleAt& rule_at,
            std::vector<uint64_t>& places);

}  // namespace hm::symbol
