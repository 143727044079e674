// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/traced_calls.h"

#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/emulate/native_step.h"
#include "pmu/soft/direct/emulate/system_calls.h"

namespace hm::soft::direct {

Core& run_traced_system_calls(Core& core) {
  constexpr uint64_t kInstructionBytes = 2;
  Core* now = &core;
  while (is_traced(*now) && is_at_system_call(*now) && !signal_is_due(now->thread->signals)) {
    now->context.ip += kInstructionBytes;
    now = &do_system_call(*now);
  }
  return *now;
}

}  // namespace hm::soft::direct
