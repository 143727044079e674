// SPDX-License-Identifier: MIT
// The memory of the program that the kernel reads and writes in system calls. Its lines pass through the
// models after the call, as accesses by the instruction that made the call.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Registers that a system call changes, at its instruction.
struct Clobbered {
  uint64_t ax, cx, r11;  // ax: the call's number
};

inline Clobbered clobbered_of(const Context& context) {
  const uint64_t* r = context.registers;
  return {r[kAx], r[kCx], r[kR11]};
}

// Models the buffers of the system call before the core's ip, which has returned `result`. Samples have the
// registers in `before`.
void model_call_buffers(Core& core, int64_t result, const Clobbered& before);

}  // namespace hm::soft::direct
