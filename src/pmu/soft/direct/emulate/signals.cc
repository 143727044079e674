// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/signals.h"

#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/native_signals.h"
#include "pmu/soft/direct/emulate/processes.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/emulate/target_state.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/lost_pages.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/direct/translate/translator.h"

extern "C" {
extern const char hm_system_call_check[], hm_system_call_instruction[], hm_trap_for_signal[],
    hm_resume_check[], hm_resume_end[];
[[noreturn]] void hm_return_from_signal(const hm::soft::direct::UserContext* context);
}

namespace hm::soft::direct {
namespace {

constexpr int32_t kAccessRefused = 2;  // SEGV_ACCERR

// int3, which the kernel reports with the instruction pointer behind it: it is not run again.
bool is_breakpoint(const SignalInfo& info) {
  constexpr int32_t kByKernel = 0x80;  // SI_KERNEL
  return info.number == kTrap && info.code == kByKernel;
}

// The thread ends the process, as the signal does where nobody handles it: natively, with the target's
// registers, so that a core dump shows them.
void die_of(Core& core, const SignalInfo& info, UserContext& context, bool by_fault) {
  Thread& thread = *core.thread;
  g_process.threads.settle_time_slice(core);
  end_process(thread);
  install_default(info.number);
  context.mask = ~mask_of(info.number);          // another signal would have the target run on
  if (by_fault && info.number != kTrap) return;  // the instruction is run again, and faults
  system_call(kTgkill, static_cast<int64_t>(system_call(kSysGetpid)),
              static_cast<int64_t>(system_call(kSysGettid)), info.number);
}

// The target's handler is next; `context` is the target's state.
void enter_handler(Core& core, const SignalInfo& info, SignalAction& action, UserContext& context) {
  SignalState& signals = core.thread->signals;
  push_handler(info, action, {signals.stack, signals.mask}, context);
  context.mask = kernel_mask(signals.mask);
  for (uint32_t i = 0; i < signals.count; ++i) signals.pending[i].may_be_blocked = true;
  hide_target(core, context.registers);
}

// `context` is the target's state: the signal takes effect.
void deliver(Core& core, const SignalInfo& info, UserContext& context, bool by_fault) {
  SignalAction& action = core.thread->signals.actions->actions[info.number];
  bool blocked = by_fault && (core.thread->signals.mask & mask_of(info.number)) != 0;
  if (action.handler > kIgnore && !blocked) return enter_handler(core, info, action, context);
  bool ignored = action.handler == kIgnore || (mask_of(info.number) & kHarmless) != 0;
  if (ignored && !by_fault) return hide_target(core, context.registers);
  die_of(core, info, context, by_fault);
}

// The first that is due, out of the queue.
bool take_due(SignalState& state, SignalInfo& info) {
  for (uint32_t i = 0; i < state.count; ++i) {
    if (!is_due(state, state.pending[i])) continue;
    info = state.pending[i].info;
    --state.count;
    for (uint32_t j = i; j < state.count; ++j) state.pending[j] = state.pending[j + 1];
    return true;
  }
  return false;
}

// Where there is no room for more, the kernel keeps what comes until one has been delivered.
void remember(SignalState& state, const SignalInfo& info, UserContext& context) {
  constexpr int32_t kByThread = -6;  // SI_TKILL
  if (info.number == kPreempt && info.code == kByThread) {
    state.yields = true;
    return;
  }
  state.arrived = 1;
  if (state.count < SignalState::kMost) state.pending[state.count++] = {info, false};
  if (state.count == SignalState::kMost) context.mask = kernel_mask(~SignalMask{0});
}

// Called where the target's state is consistent.
void deliver_due(Core& core, UserContext& context) {
  SignalInfo info;
  show_target(core, context.registers);
  if (take_due(core.thread->signals, info)) {
    context.mask = kernel_mask(core.thread->signals.mask);
    return deliver(core, info, context, false);
  }
  hide_target(core, context.registers);
  if (core.thread->signals.yields) context.registers.r10 = kExitYield;
}

// What the target's handler is told: of an invalid opcode and an arithmetic fault the address is that of the
// instruction, which is the target's, not the copy's.
SignalInfo as_target_sees(const SignalInfo& info, const Interrupted& at) {
  SignalInfo shown = info;
  if (info.number == kIllegal || info.number == kFloatingPoint) shown.address = at.source;
  return shown;
}

bool is_own_step(const SignalState& state, const SignalInfo& info) {
  constexpr int32_t kTrace = 2;  // TRAP_TRACE
  return info.number == kTrap && info.code == kTrace && state.stepping;
}

// A signal that arrived in copied code.
void on_signal_in_copy(Core& core, const SignalInfo& info, UserContext& context) {
  SignalState& signals = core.thread->signals;
  bool by_kernel = info.code > 0 && (mask_of(info.number) & kEngines) != 0;
  bool own_step = is_own_step(signals, info);
  Interrupted at = look_up(context.registers);
  if (by_kernel && !own_step) {
    if (unsigned bytes = touch_bytes_at(reinterpret_cast<const uint8_t*>(context.registers.ip)))
      return void(context.registers.ip += bytes);
    if (info.number == kSegv && info.code == kAccessRefused && g_process.copies.resolve_write(info.address))
      return;
    if (!at.known) give_up("hardmeter: the copying engine lost its way\n");
    settle_interrupted(core, at, context.registers);
    restore_spills(core, at, context.registers);
    if (is_breakpoint(info)) pass_instruction(core);
    show_target(core, context.registers);
    return deliver(core, as_target_sees(info, at), context, true);
  }
  if (!own_step) remember(signals, info, context);
  signals.stepping = !at.whole && !at.in_string;
  if (signals.stepping) {
    context.registers.flags |= kTrapFlag;
    return;
  }
  context.registers.flags &= ~kTrapFlag;
  settle_interrupted(core, at, context.registers);
  deliver_due(core, context);
}

// A signal that arrived in the engine's own code: the target takes it when it continues.
void on_signal_in_engine(Thread& thread, const SignalInfo& info, UserContext& context) {
  uint64_t ip = context.registers.ip;
  if (ip == reinterpret_cast<uint64_t>(hm_trap_for_signal) + 1) return deliver_due(*thread.core, context);
  bool by_kernel = info.code > 0 && (mask_of(info.number) & kEngines) != 0;
  bool own_step = is_own_step(thread.signals, info);
  if (own_step) {
    thread.core->attention = 1;  // single steps continue after the engine's code
    return void(context.registers.flags &= ~kTrapFlag);
  }
  if (by_kernel) give_up("hardmeter: the copying engine met a fault of its own at", ip);
  remember(thread.signals, info, context);
  if (has_core(thread)) {
    thread.signals.stepping = true;  // the engine may have been called in the middle of a block
    thread.core->attention = 1;
  }
  if (ip > reinterpret_cast<uint64_t>(hm_resume_check) && ip < reinterpret_cast<uint64_t>(hm_resume_end)) {
    context.registers.ip = reinterpret_cast<uint64_t>(hm_resume_check);
    context.registers.sp = thread.engine_stack;
    return;
  }
  // The system call was not begun, or has to be begun again: that happens after the signal.
  bool before_call = ip >= reinterpret_cast<uint64_t>(hm_system_call_check) &&
                     ip <= reinterpret_cast<uint64_t>(hm_system_call_instruction);
  if (before_call) {
    context.registers.ax = static_cast<uint64_t>(kCallAgain);
    context.registers.ip = reinterpret_cast<uint64_t>(hm_system_call_instruction) + 2;
  }
}

}  // namespace

// By the kernel's rt_sigreturn, which restores all vector registers; it continues in the engine.
void return_from_signal(Core& core) {
  Thread& thread = *core.thread;
  UserContext context = *reinterpret_cast<const UserContext*>(core.context.registers[kSp]);
  thread.signals.mask = context.mask & ~kUncatchable;
  if ((context.stack.flags & kOnStack) == 0) thread.signals.stack = context.stack;
  context.mask = kernel_mask(thread.signals.mask);
  context.stack = {thread.signal_stack, 0, 0, kSignalStackBytes};
  hide_target(core, context.registers);
  hm_return_from_signal(&context);
}

}  // namespace hm::soft::direct

// On the thread's signal stack; on the target's, where the thread is not in the engine.
extern "C" void hm_on_signal(int, const hm::soft::direct::SignalInfo* info,
                             hm::soft::direct::UserContext* context) {
  using namespace hm::soft::direct;
  Thread* found = thread_of_signal_stack(context->stack);
  if (found == nullptr) return on_signal_in_native_thread(*info, *context);
  Thread& thread = *found;
  if (info->number == kBus && info->code > 0 && replace_lost_page(info->address)) return;
  if (in_copied_code(context->registers.ip)) {
    on_signal_in_copy(*thread.core, *info, *context);
  } else {
    on_signal_in_engine(thread, *info, *context);
  }
}
