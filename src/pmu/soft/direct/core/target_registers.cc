// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/target_registers.h"

namespace hm::soft::direct {

Registers registers_of(const Core& core, uint64_t ip) {
  const uint64_t* r = core.context.registers;
  return {.ax = r[kAx],
          .bx = r[kBx],
          .cx = r[kCx],
          .dx = r[kDx],
          .si = r[kSi],
          .di = r[kDi],
          .bp = r[kBp],
          .sp = r[kSp],
          .ip = ip,
          .flags = core.context.flags,
          .r8 = r[kR8],
          .r9 = r[kR9],
          .r10 = r[kR10],
          .r11 = r[kR11],
          .r12 = r[kR12],
          .r13 = r[kR13],
          .r14 = r[kR14],
          .r15 = r[kR15]};
}

}  // namespace hm::soft::direct
