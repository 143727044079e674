// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/traced_calls.h"

#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/emulate/native_step.h"
#include "pmu/soft/direct/emulate/system_calls.h"

namespace hm::soft::direct {
namespace {

// Queues the trap behind a system call, which the thread takes before its next instruction.
void queue_trace_trap(Thread& thread, uint64_t ip) {
  SignalState& state = thread.signals;
  if (state.count == SignalState::kMost) return;
  SignalInfo info{};
  constexpr int32_t kTrace = 2;  // TRAP_TRACE
  info.number = kTrap;
  info.code = kTrace;
  info.address = ip;
  state.pending[state.count] = {info, true};
  __atomic_store_n(&state.count, state.count + 1, __ATOMIC_RELEASE);
}

}  // namespace

Core& run_traced_system_calls(Core& core) {
  constexpr uint64_t kInstructionBytes = 2;
  Core* now = &core;
  while (is_traced(*now) && is_at_system_call(*now) && !signal_is_due(now->thread->signals)) {
    uint64_t call = now->context.ip;
    now->context.ip += kInstructionBytes;
    now = &do_system_call(*now);
    if (now->context.ip != call) queue_trace_trap(*now->thread, now->context.ip);
  }
  return *now;
}

}  // namespace hm::soft::direct
