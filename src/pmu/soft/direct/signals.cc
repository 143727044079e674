// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/signals.h"

#include "pmu/soft/direct/cores.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/invalidation.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/system_call_numbers.h"
#include "pmu/soft/direct/target_state.h"

extern "C" {
extern const char hm_system_call_check[], hm_system_call_instruction[], hm_trap_for_signal[],
    hm_resume_check[], hm_resume_end[];
void hm_signal_entry();
void hm_signal_return();
[[noreturn]] void hm_return_from_signal(const hm::soft::direct::UserContext* context);
}

namespace hm::soft::direct {
namespace {

constexpr int64_t kInvalid = -22, kNoMemory = -12, kNotPermitted = -1;
constexpr int32_t kAccessRefused = 2;  // SEGV_ACCERR
constexpr uint64_t kMaskBytes = 8;
constexpr uint64_t kMinimumStackBytes = 2048;
constexpr uint64_t kRedZoneBytes = 128;
constexpr uint64_t kSetMask = 2;  // SIG_SETMASK

// The engine needs them whatever the target says: faults of protected pages, its own steps, and the registers
// of what dies of them.
constexpr SignalMask kEngines = mask_of(kSegv) | mask_of(kBus) | mask_of(kTrap) | mask_of(kIllegal) |
                                mask_of(kFloatingPoint) | mask_of(kPreempt);
// Their default is not to end the process: SIGCHLD, SIGCONT, SIGURG, SIGWINCH, and those that stop it.
constexpr SignalMask kHarmless = mask_of(17) | mask_of(18) | mask_of(23) | mask_of(28) | mask_of(kStop) |
                                 mask_of(20) | mask_of(21) | mask_of(22);
constexpr SignalMask kUncatchable = mask_of(kKill) | mask_of(kStop);

SignalMask kernel_mask(SignalMask targets) { return targets & ~kEngines; }

int64_t kernel_action(int signal, const SignalAction* wanted, SignalAction* before) {
  return system_call(kRtSigaction, signal, pointer_argument(wanted), pointer_argument(before), kMaskBytes);
}

void set_kernel_mask(SignalMask mask) {
  system_call(kRtSigprocmask, kSetMask, pointer_argument(&mask), 0, kMaskBytes);
}

bool engine_takes(int signal, const SignalAction& action) {
  if ((mask_of(signal) & kUncatchable) != 0) return false;
  if ((mask_of(signal) & kEngines) != 0) return true;
  if (action.handler == kIgnore) return false;
  return action.handler != kDefault || (mask_of(signal) & kHarmless) == 0;
}

// What the kernel is told, so that it does what the target wants.
int64_t install(int signal, const SignalAction& action) {
  SignalAction kernels = action;
  kernels.flags |= kHasRestorer;
  kernels.restorer = reinterpret_cast<uint64_t>(hm_signal_return);
  if (engine_takes(signal, action)) {
    kernels.handler = reinterpret_cast<uint64_t>(hm_signal_entry);
    kernels.flags = (action.flags & (kRestart | kNoChildStop | kNoChildWait)) | kWithInfo |
                    kOnAlternateStack | kHasRestorer;
    kernels.mask = ~SignalMask{0};
  }
  return kernel_action(signal, &kernels, nullptr);
}

SignalStackRange range_of(const SignalStack& stack) {
  return (stack.flags & kDisabled) == 0 ? SignalStackRange{stack.start, stack.bytes} : SignalStackRange{};
}
bool is_on(const SignalStack& stack, uint64_t sp) { return range_of(stack).holds(sp); }

// int3, which the kernel reports with the instruction pointer behind it: it is not run again.
bool is_breakpoint(const SignalInfo& info) {
  constexpr int32_t kByKernel = 0x80;  // SI_KERNEL
  return info.number == kTrap && info.code == kByKernel;
}

// The thread ends the process, as the signal does where nobody handles it: natively, with the target's
// registers, so that a core dump shows them.
void die_of(Core& core, const SignalInfo& info, UserContext& context, bool by_fault) {
  Thread& thread = *core.thread;
  settle_turn(core);
  end_process(thread);
  SignalAction natively{kDefault, kHasRestorer, reinterpret_cast<uint64_t>(hm_signal_return), 0};
  kernel_action(info.number, &natively, nullptr);
  context.mask &= ~mask_of(info.number);
  if (by_fault && info.number != kTrap) return;  // the instruction is run again, and faults
  system_call(kTgkill, static_cast<int64_t>(system_call(kSysGetpid)),
              static_cast<int64_t>(system_call(kSysGettid)), info.number);
}

// The target's handler is next; `context` is the target's state.
void enter_handler(Core& core, const SignalInfo& info, SignalAction& action, UserContext& context) {
  Thread& thread = *core.thread;
  SignalContext& registers = context.registers;
  SignalStack shown = thread.signals.stack;
  bool on_stack = is_on(shown, registers.sp);
  bool change = (action.flags & kOnAlternateStack) != 0 && (shown.flags & kDisabled) == 0 &&
                shown.bytes != 0 && !on_stack;
  uint64_t sp = change ? shown.start + shown.bytes : registers.sp - kRedZoneBytes;
  uint64_t vector_bytes = registers.vector_state == 0 ? 0 : vector_state_bytes(registers.vector_state);
  uint64_t vectors = (sp - vector_bytes) & ~uint64_t{63};
  uint64_t at = ((vectors - sizeof(SignalFrame)) & ~uint64_t{15}) - 8;
  if (vector_bytes != 0)
    __builtin_memcpy(reinterpret_cast<void*>(vectors), reinterpret_cast<const void*>(registers.vector_state),
                     vector_bytes);
  auto& frame = *reinterpret_cast<SignalFrame*>(at);
  frame.return_address = action.restorer;
  frame.context = context;
  frame.context.registers.vector_state = vector_bytes != 0 ? vectors : 0;
  frame.context.stack = shown;
  frame.context.stack.flags = on_stack ? kOnStack : shown.flags;
  frame.context.mask = thread.signals.mask;
  frame.info = info;

  registers.di = static_cast<uint64_t>(info.number);
  registers.si = reinterpret_cast<uint64_t>(&frame.info);
  registers.dx = reinterpret_cast<uint64_t>(&frame.context);
  registers.ax = 0;
  registers.sp = at;
  registers.ip = action.handler;
  registers.flags &= ~(kTrapFlag | kDirectionBit | kResumeFlag);
  thread.signals.mask |= action.mask;
  if ((action.flags & kNoDefer) == 0) thread.signals.mask |= mask_of(info.number);
  if ((action.flags & kResetHandler) != 0) {
    action.handler = kDefault;
    install(info.number, action);
  }
  context.mask = kernel_mask(thread.signals.mask);
  for (uint32_t i = 0; i < thread.signals.count; ++i) thread.signals.pending[i].may_be_blocked = true;
  hide_target(core, registers);
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

bool is_due(const SignalState& state, const PendingSignal& pending) {
  return !pending.may_be_blocked || (state.mask & mask_of(pending.info.number)) == 0;
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

void remember(SignalState& state, const SignalInfo& info) {
  constexpr int32_t kByThread = -6;  // SI_TKILL
  if (info.number == kPreempt && info.code == kByThread) {
    state.yields = true;
    return;
  }
  state.arrived = 1;
  if (state.count < SignalState::kMost) state.pending[state.count++] = {info, false};
}

// At a place where the target's state is whole.
void deliver_due(Core& core, UserContext& context) {
  SignalInfo info;
  show_target(core, context.registers);
  if (take_due(core.thread->signals, info)) return deliver(core, info, context, false);
  hide_target(core, context.registers);
  if (core.thread->signals.yields) context.registers.r10 = kExitYield;
}

bool is_own_step(const SignalState& state, const SignalInfo& info) {
  constexpr int32_t kTrace = 2;  // TRAP_TRACE
  return info.number == kTrap && info.code == kTrace && state.stepping;
}

// In copied code.
void on_signal_in_copy(Core& core, const SignalInfo& info, UserContext& context) {
  SignalState& signals = core.thread->signals;
  bool by_kernel = info.code > 0 && (mask_of(info.number) & kEngines) != 0;
  bool own_step = is_own_step(signals, info);
  Interrupted at = look_up(context.registers);
  if (by_kernel && !own_step) {
    if (info.number == kSegv && info.code == kAccessRefused && resolve_write_to_code(info.address)) return;
    if (!at.known) give_up("hardmeter: the copying engine lost its way\n");
    settle_interrupted(core, at, context.registers);
    restore_spills(core, at, context.registers);
    if (is_breakpoint(info)) pass_instruction(core);
    show_target(core, context.registers);
    return deliver(core, info, context, true);
  }
  if (!own_step) remember(signals, info);
  signals.stepping = !at.whole && !at.in_string;
  if (signals.stepping) {
    context.registers.flags |= kTrapFlag;
    return;
  }
  context.registers.flags &= ~kTrapFlag;
  settle_interrupted(core, at, context.registers);
  deliver_due(core, context);
}

// In the engine's own code: the target takes it when it goes on.
void on_signal_in_engine(Thread& thread, const SignalInfo& info, UserContext& context) {
  uint64_t ip = context.registers.ip;
  if (ip == reinterpret_cast<uint64_t>(hm_trap_for_signal) + 1) return deliver_due(*thread.core, context);
  bool by_kernel = info.code > 0 && (mask_of(info.number) & kEngines) != 0;
  bool own_step = is_own_step(thread.signals, info);
  if (own_step) {
    thread.core->attention = 1;  // the steps go on behind the engine's code
    return void(context.registers.flags &= ~kTrapFlag);
  }
  if (by_kernel) give_up("hardmeter: the copying engine met a fault of its own at", ip);
  remember(thread.signals, info);
  if (has_core(thread)) {
    thread.signals.stepping = true;  // where the engine was called amid a block
    thread.core->attention = 1;
  }
  if (ip > reinterpret_cast<uint64_t>(hm_resume_check) && ip < reinterpret_cast<uint64_t>(hm_resume_end)) {
    context.registers.ip = reinterpret_cast<uint64_t>(hm_resume_check);
    context.registers.sp = thread.engine_stack;
    return;
  }
  // Not begun, or to be begun again: it is, after the signal.
  bool before_call = ip >= reinterpret_cast<uint64_t>(hm_system_call_check) &&
                     ip <= reinterpret_cast<uint64_t>(hm_system_call_instruction);
  if (before_call) {
    context.registers.ax = static_cast<uint64_t>(kCallAgain);
    context.registers.ip = reinterpret_cast<uint64_t>(hm_system_call_instruction) + 2;
  }
}

}  // namespace

SignalStackRange alternate_stack(const SignalState& state) { return range_of(state.stack); }

void begin_signals(Thread& thread) {
  SignalState& state = thread.signals;
  state.actions = take<SignalActions>();
  if (state.actions == nullptr) give_up("hardmeter: no memory\n");
  state.stack.flags = kDisabled;
  system_call(kRtSigprocmask, 0, 0, pointer_argument(&state.mask), kMaskBytes);
  for (int signal = 1; signal <= kSignals; ++signal) {
    SignalAction& action = state.actions->actions[signal];
    kernel_action(signal, nullptr, &action);
    if (engine_takes(signal, action)) install(signal, action);
  }
}

void inherit_signals(Thread& child, const Thread& parent, bool shares) {
  child.signals.mask = parent.signals.mask;
  child.signals.stack.flags = kDisabled;
  child.signals.actions = parent.signals.actions;
  if (shares) return;
  auto* own = take<SignalActions>();
  if (own == nullptr) return;
  *own = *parent.signals.actions;
  child.signals.actions = own;
}

void open_signals(const Thread& thread) {
  SignalStack engines{thread.signal_stack, 0, 0, kSignalStackBytes};
  system_call(kSigaltstack, pointer_argument(&engines), 0);
  unblock_signals(thread);
}

void block_signals() { set_kernel_mask(~SignalMask{0}); }
void unblock_signals(const Thread& thread) { set_kernel_mask(kernel_mask(thread.signals.mask)); }

void bequeath_signals(Thread& thread) {
  constexpr int64_t kSysTgsigqueueinfo = 297;
  SignalState& state = thread.signals;
  for (int signal = 1; signal <= kSignals; ++signal) {
    const SignalAction& action = state.actions->actions[signal];
    if (action.handler == kIgnore && engine_takes(signal, action)) kernel_action(signal, &action, nullptr);
  }
  block_signals();
  bool call_is_done = !signal_is_due(thread);
  for (uint32_t i = 0; call_is_done && i < state.count; ++i) {
    SignalInfo& info = state.pending[i].info;
    system_call(kSysTgsigqueueinfo, system_call(kSysGetpid), thread.tid, info.number,
                pointer_argument(&info));
  }
  if (call_is_done) state.count = 0;
  set_kernel_mask(state.mask);
}

void retake_signals(const Thread& thread) {
  const SignalState& state = thread.signals;
  for (int signal = 1; signal <= kSignals; ++signal) {
    const SignalAction& action = state.actions->actions[signal];
    if (action.handler == kIgnore && engine_takes(signal, action)) install(signal, action);
  }
  unblock_signals(thread);
}

bool signal_is_due(const Thread& thread) {
  const SignalState& state = thread.signals;
  uint32_t count = __atomic_load_n(&state.count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    if (is_due(state, state.pending[i])) return true;
  }
  return false;
}

int64_t set_signal_action(Thread& thread) {
  const uint64_t* arguments = thread.context.registers;
  auto signal = static_cast<int>(arguments[kDi]);
  const auto* wanted = reinterpret_cast<const SignalAction*>(arguments[kSi]);
  auto* before = reinterpret_cast<SignalAction*>(arguments[kDx]);
  if (signal < 1 || signal > kSignals || arguments[kR10] != kMaskBytes) return kInvalid;
  if (wanted != nullptr && (mask_of(signal) & kUncatchable) != 0) return kInvalid;
  SignalAction& action = thread.signals.actions->actions[signal];
  SignalAction old = action;
  if (wanted != nullptr) {
    SignalAction next = *wanted;
    next.mask &= ~kUncatchable;
    int64_t result = install(signal, next);
    if (result < 0) return result;
    action = next;
  }
  if (before != nullptr) *before = old;
  return 0;
}

int64_t set_signal_mask(Thread& thread) {
  const uint64_t* arguments = thread.context.registers;
  const auto* wanted = reinterpret_cast<const SignalMask*>(arguments[kSi]);
  auto* before = reinterpret_cast<SignalMask*>(arguments[kDx]);
  if (arguments[kR10] != kMaskBytes) return kInvalid;
  SignalMask old = thread.signals.mask, next = old;
  if (wanted != nullptr) {
    constexpr uint64_t kBlock = 0, kUnblock = 1;
    SignalMask given = *wanted & ~kUncatchable;
    if (arguments[kDi] > kSetMask) return kInvalid;
    next = arguments[kDi] == kBlock ? old | given : arguments[kDi] == kUnblock ? old & ~given : given;
  }
  if (before != nullptr) *before = old;
  thread.signals.mask = next;
  if (wanted != nullptr) unblock_signals(thread);
  return 0;
}

int64_t set_signal_stack(Thread& thread) {
  const uint64_t* arguments = thread.context.registers;
  const auto* wanted = reinterpret_cast<const SignalStack*>(arguments[kDi]);
  auto* before = reinterpret_cast<SignalStack*>(arguments[kSi]);
  SignalStack old = thread.signals.stack;
  bool on_it = is_on(old, arguments[kSp]);
  if (on_it) old.flags = kOnStack;
  if (wanted != nullptr) {
    if (on_it) return kNotPermitted;
    SignalStack next = *wanted;
    bool disabled = (next.flags & kDisabled) != 0;
    if (!disabled && next.bytes < kMinimumStackBytes) return kNoMemory;
    if (disabled) next = {0, kDisabled, 0, 0};
    next.flags &= ~kOnStack;
    thread.signals.stack = next;
  }
  if (before != nullptr) *before = old;
  return 0;
}

// By the kernel's own means, which put all vector registers back: only where it goes on is the engine's.
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

// On the thread's signal stack, whose first word is its address.
extern "C" void hm_on_signal(int, const hm::soft::direct::SignalInfo* info,
                             hm::soft::direct::UserContext* context) {
  using namespace hm::soft::direct;
  uint64_t place = reinterpret_cast<uint64_t>(info) & ~(kThreadBlockBytes - 1);
  Thread& thread = **reinterpret_cast<Thread**>(place);
  if (in_copied_code(context->registers.ip)) {
    on_signal_in_copy(*thread.core, *info, *context);
  } else {
    on_signal_in_engine(thread, *info, *context);
  }
}
