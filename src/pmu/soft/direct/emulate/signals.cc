// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/signals.h"

#include "pmu/soft/direct/core/preempt_signal.h"
#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/core/signal_queue.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/core/touch_parts.h"
#include "pmu/soft/direct/emulate/invariants.h"
#include "pmu/soft/direct/emulate/leaving.h"
#include "pmu/soft/direct/emulate/native_signals.h"
#include "pmu/soft/direct/emulate/native_step.h"
#include "pmu/soft/direct/emulate/processes.h"
#include "pmu/soft/direct/emulate/restart_areas.h"
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
    hm_resume_check[], hm_resume_end[], hm_copy_instruction[], hm_copy_failed[];
[[noreturn]] void hm_return_from_signal(const hm::soft::direct::UserContext* context);
}

namespace hm::soft::direct {
namespace {

constexpr int32_t kAccessRefused = 2;  // SEGV_ACCERR

// Returns true for int3. The kernel reports it with the instruction pointer behind it, so it does not run
// again.
bool is_breakpoint(const SignalInfo& info) {
  constexpr int32_t kByKernel = 0x80;  // SI_KERNEL
  return info.number == kTrap && info.code == kByKernel;
}

// Returns true for int1, which raises the same exception as a single step. The instruction pointer is then
// behind int1, or, with some hypervisors on AMD's processors, at int1.
bool is_debug_instruction(const SignalInfo& info, const SignalContext& registers) {
  constexpr int32_t kBreakpoint = 1;  // TRAP_BRKPT
  constexpr uint64_t kDebug = 1;      // the exception's number
  return info.number == kTrap && info.code == kBreakpoint && registers.trap == kDebug;
}

// Returns true if the instruction does not run again: int3, int1, and int 4, which the kernel reports as a
// segment fault.
bool is_past_instruction(const SignalInfo& info, const SignalContext& registers) {
  constexpr uint64_t kOverflow = 4;  // the exception's number
  return is_breakpoint(info) || is_debug_instruction(info, registers) ||
         (info.number == kSegv && registers.trap == kOverflow);
}

// Reason for a signal to a thread.
enum class Reason {
  kSent,    // sent by a process or the kernel
  kFault,   // the instruction at the target's ip faults, and would fault again if it ran again
  kForced,  // the thread cannot continue (forced_fault())
};

// The thread ends the process by the signal's default action. It does so natively, with the target's
// registers, so that a core dump has them.
//
// A fault occurs again at the program's own instruction, unless only the session's processor lacks the
// instruction.
void die_of(Core& core, const SignalInfo& info, UserContext& context, Reason reason) {
  Thread& thread = *core.thread;
  g_process.threads.settle_time_slice(core);
  bool is_absent = info.number == kIllegal && session() != nullptr && session()->absent.features != 0;
  end_process(thread);
  install_default(info.number);
  context.mask = ~mask_of(info.number);  // another signal would let the target run on
  if (reason == Reason::kFault && info.number != kTrap && !is_absent) return;
  system_call(kTgkill, static_cast<int64_t>(system_call(kSysGetpid)),
              static_cast<int64_t>(system_call(kSysGettid)), info.number);
}

// Continues the target with the state in `context`, in a handler or where it was. Code of another segment
// runs by native steps.
void go_on(Core& core, UserContext& context) {
  const SignalState& signals = core.thread->signals;
  if (signal_is_due(signals)) core.attention = 1;
  context.mask = kernel_mask(signals);
  if (!is_in_other_segment(context.registers)) return hide_target(core, context.registers);
  core.context.ip = context.registers.ip;
  start_native_step(core, context);
}

// Starts the target's handler. `context` is the target's state. Returns false if there is no room for the
// signal frame.
bool enter_handler(Core& core, const SignalInfo& info, SignalAction& action, UserContext& context) {
  SignalState& signals = core.thread->signals;
  SignalMask after = signals.mask_is_of_call ? signals.mask_after : signals.mask;
  context.registers.ip = restarted(*core.thread, context.registers.ip);
  if (!push_handler(info, action, {signals.stack, signals.mask, after}, context)) return false;
  signals.mask_is_of_call = false;
  signals.trap_flag = false;  // as in point_at_handler()
  return_blocked(signals);
  go_on(core, context);
  return true;
}

// Delivers the signal. `context` is the target's state.
void deliver(Core& core, const SignalInfo& info, UserContext& context, Reason reason) {
  SignalState& signals = core.thread->signals;
  SignalAction& action = signals.actions->actions[info.number];
  bool blocked = reason != Reason::kSent && (signals.mask & mask_of(info.number)) != 0;
  if (action.handler > kIgnore && !blocked) {
    if (enter_handler(core, info, action, context)) return;
    if (info.number == kSegv) return die_of(core, info, context, Reason::kForced);
    return deliver(core, forced_fault(), context, Reason::kForced);
  }
  bool ignored = action.handler == kIgnore || (mask_of(info.number) & kHarmless) != 0;
  if (!ignored || reason != Reason::kSent) return die_of(core, info, context, reason);
  if (!signal_is_due(signals)) end_mask_of_call(signals);
  go_on(core, context);
}

// Queues a signal. The kernel keeps further signals until this one has been delivered. If the queue is full,
// the kernel gets the signal back.
void remember(SignalState& state, const SignalInfo& info, UserContext& context) {
  __atomic_store_n(&state.had_any, true, __ATOMIC_SEQ_CST);
  if (is_preempt_request(info)) {
    state.yields = true;
    return;
  }
  if (queue_signal(state, info) == Queued::kNoRoom) send_to_this_thread(info);
  discard_ignored(state, state.mask);
  bool may_be_blocked = (mask_of(info.number) & kEngines) != 0;
  if (signal_is_due(state) || (!may_be_blocked && is_pending(state, info))) state.arrived = 1;
  context.mask = kernel_mask(state);
}

// Called when the target's state is consistent.
void deliver_due(Core& core, UserContext& context) {
  PendingSignal next;
  SignalState& signals = core.thread->signals;
  show_target(core, context.registers);
  if (take_due(signals, next)) {
    signals.native_step_due = false;
    return deliver(core, next.info, context, next.forced ? Reason::kForced : Reason::kSent);
  }
  if (step_is_in_engine(core)) {
    signals.native_step_due = false;
    SignalInfo fault = fault_at_unmapped_code(core.context.ip, context.registers);
    return deliver(core, fault, context, Reason::kForced);
  }
  if (signals.native_step_due) return start_native_step(core, context);
  go_on(core, context);
  if (signals.yields) context.registers.r10 = kExitYield;
}

// Returns the signal information for the target's handler. For an invalid opcode and an arithmetic fault, the
// address is that of the instruction in the target, not in the copy; for int1, it is the instruction pointer.
// `registers` are the target's.
SignalInfo as_target_sees(const SignalInfo& info, const Interrupted& at, const SignalContext& registers) {
  SignalInfo shown = info;
  if (is_debug_instruction(info, registers)) shown.address = registers.ip;
  if (info.number == kIllegal || info.number == kFloatingPoint) shown.address = at.source;
  return shown;
}

bool is_own_step(const SignalState& state, const SignalInfo& info) {
  constexpr int32_t kTrace = 2;  // TRAP_TRACE
  return info.number == kTrap && info.code == kTrace && state.stepping;
}

// Delivers the signal that is due, if any, between two instructions of code in another segment.
void deliver_between_steps(Core& core, UserContext& context) {
  SignalState& signals = core.thread->signals;
  PendingSignal next;
  if (!signals.native_step || !take_due(signals, next)) return;
  signals.native_step = false;
  context.registers.flags &= ~kTrapFlag;
  if (signals.trap_flag) context.registers.flags |= kTrapFlag;
  deliver(core, next.info, context, next.forced ? Reason::kForced : Reason::kSent);
}

// Handles a signal that arrived while an instruction of the program ran natively.
void on_signal_in_native_step(Core& core, const SignalInfo& info, UserContext& context) {
  bool by_kernel = info.code > 0 && (mask_of(info.number) & kEngines) != 0;
  if (!by_kernel) return remember(core.thread->signals, info, context);  // the step continues
  bool is_past = is_past_instruction(info, context.registers);
  Reason reason = is_past ? Reason::kForced : Reason::kFault;
  if (end_native_step(core, info, context)) return deliver(core, info, context, reason);
  deliver_between_steps(core, context);
}

// Called when a page of code has become writable and the write is about to run again. If the write may change
// the source of the running copy, the thread single-steps and leaves the copy behind the write.
void continue_behind_write(SignalState& signals, UserContext& context) {
  const Block* block = g_process.copies.block_of_code(reinterpret_cast<const uint8_t*>(context.registers.ip));
  if (block == nullptr || !block->dropped) return;
  signals.stepping = true;
  context.registers.flags |= kTrapFlag;
}

// Returns true if the copied code at `ip` is a pushf, perhaps with prefixes.
bool is_at_pushf(uint64_t ip) {
  constexpr uint8_t kPushf = 0x9c, kOperandSize = 0x66, kRex = 0x40, kRexMask = 0xf0;
  constexpr unsigned kMaxPrefixes = 14;
  const auto* code = reinterpret_cast<const uint8_t*>(ip);
  for (unsigned i = 0; i < kMaxPrefixes && (*code == kOperandSize || (*code & kRexMask) == kRex); ++i) ++code;
  return *code == kPushf;
}

// Sets the trap flag for a single step of the engine.
void begin_step(SignalState& signals, SignalContext& registers) {
  signals.steps_over_pushf = is_at_pushf(registers.ip);
  registers.flags |= kTrapFlag;
}

// Called behind a single step of the engine, which the program must not see.
void end_step(SignalState& signals, const SignalContext& registers) {
  constexpr uint16_t kTrapFlagOfWord = kTrapFlag;
  if (signals.steps_over_pushf)
    *reinterpret_cast<uint16_t*>(registers.sp) &= static_cast<uint16_t>(~kTrapFlagOfWord);
  signals.steps_over_pushf = false;
}

// Handles a signal that arrived in copied code.
void on_signal_in_copy(Core& core, const SignalInfo& info, UserContext& context) {
  SignalState& signals = core.thread->signals;
  bool by_kernel = info.code > 0 && (mask_of(info.number) & kEngines) != 0;
  bool own_step = is_own_step(signals, info);
  Interrupted at = look_up(context.registers);
  if (own_step) end_step(signals, context.registers);
  if (by_kernel && !own_step) {
    if (unsigned bytes = touch_bytes_at(reinterpret_cast<const uint8_t*>(context.registers.ip)))
      return void(context.registers.ip += bytes);
    if (info.number == kSegv && info.code == kAccessRefused && g_process.copies.resolve_write(info.address))
      return continue_behind_write(signals, context);
    if (!at.known)
      give_up(
          "hardmeter: the copying engine has no mapping for a signal's address (internal error; please report it, with the program); at",
          context.registers.ip);
    settle_interrupted(core, at, context.registers);
    restore_spills(core, at, context.registers);
    bool is_at_it = is_debug_instruction(info, context.registers) && at.before_instruction;
    bool is_past = is_past_instruction(info, context.registers) && !is_at_it;
    if (is_past) pass_instruction(core);
    // Signals that arrived earlier come first, if the fault will recur.
    bool will_recur = info.number != kTrap && !is_past;
    if (will_recur && signal_is_due(signals)) return deliver_due(core, context);
    show_target(core, context.registers);
    return deliver(core, as_target_sees(info, at, context.registers), context,
                   is_past ? Reason::kForced : Reason::kFault);
  }
  if (!own_step) remember(signals, info, context);
  // Single steps do not get past a page fault that is not resolved. So the thread releases its core before
  // the instruction. The instruction's accesses are modelled again when it runs again.
  bool is_blocked = at.before_instruction && __atomic_load_n(&core.thread->is_blocked, __ATOMIC_SEQ_CST);
  signals.stepping = !at.whole && !at.in_string && !is_blocked;
  if (signals.stepping) return begin_step(signals, context.registers);
  context.registers.flags &= ~kTrapFlag;
  settle_interrupted(core, at, context.registers);
  deliver_due(core, context);
}

// Returns true if the thread has faulted because it reads code that it copies.
bool reads_source(const Thread& thread, const SignalInfo& info) {
  bool is_fault = info.number == kSegv || info.number == kBus;
  const auto is_in = [&](uint64_t begin, uint64_t end) {
    return info.address >= begin && info.address < end;
  };
  bool is_engines = is_in(kEngineBase, kOwnArea.begin + kOwnArea.bytes) ||
                    is_in(kTableArea.begin, kTableArea.begin + kTableArea.bytes);
  return is_fault && !is_engines && has_core(thread) && g_process.copying_for == thread.core;
}

// Handles a signal that arrived in the engine's own code: the target takes it when it continues.
void on_signal_in_engine(Thread& thread, const SignalInfo& info, UserContext& context) {
  uint64_t ip = context.registers.ip;
  bool is_trap = is_breakpoint(info) && ip == reinterpret_cast<uint64_t>(hm_trap_for_signal) + 1;
  if (is_trap) return deliver_due(*thread.core, context);
  bool by_kernel = info.code > 0 && (mask_of(info.number) & kEngines) != 0;
  bool own_step = is_own_step(thread.signals, info);
  if (own_step) {
    thread.core->attention = 1;  // single steps continue after the engine's code
    return void(context.registers.flags &= ~kTrapFlag);
  }
  // The target returns from a handler with vector registers or segments that the kernel rejects.
  if (by_kernel && info.number == kSegv && ip == reinterpret_cast<uint64_t>(hm_leave)) {
    show_target(*thread.core, context.registers);
    return deliver(*thread.core, info, context, Reason::kForced);
  }
  if (by_kernel && reads_source(thread, info)) {
    constexpr uint64_t kStackAlignment = 16;
    context.registers.ip = reinterpret_cast<uint64_t>(&leave_unreadable_code);
    context.registers.sp = (context.registers.sp & ~(kStackAlignment - 1)) - sizeof(uint64_t);
    return;
  }
  if (by_kernel)
    give_up("hardmeter: the copying engine faulted (internal error; please report it, with the program); at",
            ip);
  remember(thread.signals, info, context);
  __atomic_store_n(&thread.woken, 1u, __ATOMIC_SEQ_CST);  // it may be about to sleep in the queue for a core
  if (has_core(thread)) {
    thread.signals.stepping = true;  // the engine may have been called in the middle of a block
    thread.core->attention = 1;
  }
  if (ip > reinterpret_cast<uint64_t>(hm_resume_check) && ip < reinterpret_cast<uint64_t>(hm_resume_end)) {
    context.registers.ip = reinterpret_cast<uint64_t>(hm_resume_check);
    context.registers.sp = thread.engine_stack;
    return;
  }
  // The system call was not begun or must be begun again: that happens after the signal.
  bool before_call = ip >= reinterpret_cast<uint64_t>(hm_system_call_check) &&
                     ip <= reinterpret_cast<uint64_t>(hm_system_call_instruction);
  if (before_call) {
    context.registers.ax = static_cast<uint64_t>(kCallAgain);
    context.registers.ip = reinterpret_cast<uint64_t>(hm_system_call_instruction) + 2;
  }
}

}  // namespace

// Uses the kernel's rt_sigreturn, which restores all vector registers, and continues in the engine.
void return_from_signal(Core& core) {
  Thread& thread = *core.thread;
  SignalState& signals = thread.signals;
  uint64_t sp = core.context.registers[kSp];
  UserContext context;
  if (!read_program(sp, context)) {
    core.context.registers[kAx] = 0;
    core.attention = 1;
    return force_fault(signals);
  }
  // A signal that arrived between go_on() and the kernel's rt_sigreturn would be pending in the engine while
  // that call sets a mask that lets further signals through.
  block_signals_but_engines();
  signals.mask = context.mask & ~kUncatchable;
  (void)change_signal_stack(signals, context.stack, sp);
  context.stack = {thread.signal_stack, 0, 0, kSignalStackBytes};
  signals.trap_flag = (context.registers.flags & kTrapFlag) != 0;
  go_on(core, context);
  hm_return_from_signal(&context);
}

namespace {

// Returns true if a copy from or to the target's memory has met a fault (core/program_memory.h).
bool ends_copy(const SignalInfo& info, UserContext& context) {
  bool is_fault = info.code > 0 && (info.number == kSegv || info.number == kBus);
  if (!is_fault || context.registers.ip != reinterpret_cast<uint64_t>(hm_copy_instruction)) return false;
  if (info.number == kSegv && info.code == kAccessRefused && g_process.copies.resolve_write(info.address))
    return true;
  context.registers.ip = reinterpret_cast<uint64_t>(hm_copy_failed);
  return true;
}

// Returns true if the engine's handler of another signal was interrupted. Only faults may do that.
bool interrupts_handler(const Thread* thread, const UserContext& context) {
  uint64_t ip = context.registers.ip;
  return thread != nullptr ? is_on(context.stack, context.registers.sp)
                           : ip >= kEngineBase && ip < kCommonModelsBase;
}

// Returns true if a touching copy has written to a part of the touch table that was inaccessible. The write
// then runs again.
bool opens_touch_part(Thread& thread, uint64_t address) {
  return thread.core != nullptr && open_touch_part(*thread.core, address);
}

// Delays a signal that a process has sent but that faults raise, too, until the engine's handler has ended.
void postpone(const SignalInfo& info, UserContext& context) {
  constexpr int64_t kBlock = 0;  // SIG_BLOCK
  SignalMask later = mask_of(info.number);
  context.mask |= later;
  system_call(kRtSigprocmask, kBlock, pointer_argument(&later), 0, kMaskBytes);
  send_to_this_thread(info);
}

}  // namespace
}  // namespace hm::soft::direct

// Runs on the thread's signal stack, or on the target's stack if the thread is not in the engine.
extern "C" void hm_on_signal(int, const hm::soft::direct::SignalInfo* info,
                             hm::soft::direct::UserContext* context) {
  using namespace hm::soft::direct;
  if (ends_copy(*info, *context)) return;
  Thread* found = thread_of_signal_stack(context->stack);
  if (info->code <= 0 && interrupts_handler(found, *context)) return postpone(*info, *context);
  if (found == nullptr) return on_signal_in_native_thread(*info, *context);
  Thread& thread = *found;
  if (info->number == kBus && info->code > 0 && replace_lost_page(info->address)) return;
  if (info->number == kSegv && info->code == kAccessRefused && opens_touch_part(thread, info->address))
    return;
  if (thread.signals.native_step) {
    on_signal_in_native_step(*thread.core, *info, *context);
  } else if (in_copied_code(context->registers.ip)) {
    check_in_copy(thread);
    on_signal_in_copy(*thread.core, *info, *context);
  } else {
    on_signal_in_engine(thread, *info, *context);
  }
}
