// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/invariants.h"

#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/process/locks.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr SignalMask kNeverBlocked = mask_of(kKill) | mask_of(kStop);

const Core* core_of_gs() {
  const Core* core;
  __asm__("movq %%gs:0, %0" : "=r"(core));
  return core;
}

SignalMask mask_in_kernel() {
  SignalMask mask = 0;
  system_call(kRtSigprocmask, kSetMask, 0, pointer_argument(&mask), kMaskBytes);
  return mask | kNeverBlocked;
}

void check_core(const Core& core) {
  const Thread* thread = thread_of_engine_stack();
  check(thread == nullptr || core.thread == thread, "the core's thread is the thread that uses the core");
  check(core.thread->core == &core, "the thread of a core has this core");
  check(has_core(*core.thread), "a thread owns the core that it uses");
  check(core_of_gs() == &core, "GS points to the thread's core");
  uint32_t owned = 0;
  g_process.cores.for_each([&](const Core& each) {
    uintptr_t owner = __atomic_load_n(&each.owner, __ATOMIC_ACQUIRE);
    if (owner == reinterpret_cast<uintptr_t>(core.thread)) ++owned;
  });
  check(owned == 1, "a thread owns one core");
}

}  // namespace

void check_before_program(const Core& core) {
  if (!is_checking()) return;
  check_no_lock("a thread holds no lock when it runs the program's code");
  check_core(core);
}

void check_in_copy(const Thread& thread) {
  if (!is_checking()) return;
  check_no_lock("a thread holds no lock while it runs a copy");
  check(thread.core != nullptr, "a thread that runs a copy has a core");
  check_core(*thread.core);
}

void check_before_call(const Thread& thread) {
  if (!is_checking()) return;
  check_no_lock("a thread holds no lock when it makes a system call of the program");
  check(!has_core(thread), "a thread has released its core when it makes a system call of the program");
}

void check_before_fork(const Thread& thread) {
  if (!is_checking()) return;
  check(holds_all_locks(), "a thread holds all locks when it forks");
  check(!has_core(thread), "a thread has released its core when it forks");
}

void check_signals_blocked() {
  if (!is_checking()) return;
  if (mask_in_kernel() != ~SignalMask{0})
    fail_check("all signals are blocked where none may arrive", __builtin_return_address(0));
}

// While the engine holds a signal, it may keep others in the kernel, too. The mask of an interrupted call is
// only in effect again when the handler begins.
void check_kernel_mask(const Thread& thread) {
  if (!is_checking() || thread.signals.mask_is_of_call) return;
  SignalMask kernels = mask_in_kernel(), programs = kernel_mask(thread.signals.mask) | kNeverBlocked;
  bool holds_none = __atomic_load_n(&thread.signals.count, __ATOMIC_SEQ_CST) == 0;
  check((kernels & kEngines) == 0, "the kernel lets through the signals that the engine needs");
  check((programs & ~kernels) == 0, "the kernel blocks the signals that the program blocks");
  check(!holds_none || kernels == programs, "the kernel lets through the signals that the program does");
}

}  // namespace hm::soft::direct
