// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/signal_actions.h"

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/preempt_signal.h"
#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/emulate/clone_flags.h"
#include "pmu/soft/direct/emulate/invariants.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

extern "C" {
void hm_signal_entry();
void hm_signal_return();
}

namespace hm::soft::direct {
namespace {

constexpr int64_t kInvalid = -22, kNoMemory = -12, kNoPermission = -1;
// Flags of an action that the kernel keeps (kernel/signal.c, do_sigaction).
constexpr uint64_t kKeptFlags = kNoChildStop | kNoChildWait | kWithInfo | 0x800 /* SA_EXPOSE_TAGBITS */ |
                                kHasRestorer | kOnAlternateStack | kRestart | kNoDefer | kResetHandler;
constexpr uint64_t kMinimumStackBytes = 2048;

int64_t kernel_action(int signal, const SignalAction* wanted, SignalAction* before) {
  return system_call(kRtSigaction, signal, pointer_argument(wanted), pointer_argument(before), kMaskBytes);
}

// Signals of faults in hm_copy(), which reports a bad address; they may arrive within the engine's handler,
// too.
constexpr SignalMask kCopyFaults = mask_of(kSegv) | mask_of(kBus);

bool engine_takes(int signal, const SignalAction& action) {
  if ((mask_of(signal) & kUncatchable) != 0) return false;
  if ((mask_of(signal) & kEngines) != 0) return true;
  if (action.handler == kIgnore) return false;
  return action.handler != kDefault || (mask_of(signal) & kHarmless) == 0;
}

}  // namespace

int64_t install_action(int signal, const SignalAction& action) {
  SignalAction kernels = action;
  kernels.flags |= kHasRestorer;
  kernels.restorer = reinterpret_cast<uint64_t>(hm_signal_return);
  if (engine_takes(signal, action)) {
    kernels.handler = reinterpret_cast<uint64_t>(hm_signal_entry);
    kernels.flags = (action.flags & (kRestart | kNoChildStop | kNoChildWait)) | kWithInfo |
                    kOnAlternateStack | kHasRestorer;
    kernels.mask = ~kCopyFaults;
    if ((mask_of(signal) & kCopyFaults) != 0) kernels.flags |= kNoDefer;
  }
  return kernel_action(signal, &kernels, nullptr);
}

void install_default(int signal) {
  SignalAction natively{kDefault, kHasRestorer, reinterpret_cast<uint64_t>(hm_signal_return), 0};
  kernel_action(signal, &natively, nullptr);
}

bool begin_signals() {
  if (g_process.signal_actions == nullptr) g_process.signal_actions = take<SignalActions>();
  if (g_process.signal_actions == nullptr) return false;
  for (int signal = 1; signal <= kSignals; ++signal) {
    SignalAction& action = g_process.signal_actions->actions[signal];
    kernel_action(signal, nullptr, &action);
    if (engine_takes(signal, action)) install_action(signal, action);
  }
  return true;
}

void end_signals() {
  if (g_process.signal_actions == nullptr) return;
  for (int signal = 1; signal <= kSignals; ++signal) {
    SignalAction kernels{};
    kernel_action(signal, nullptr, &kernels);
    bool is_engines = kernels.handler == reinterpret_cast<uint64_t>(hm_signal_entry) ||
                      kernels.restorer == reinterpret_cast<uint64_t>(hm_signal_return);
    if (is_engines) kernel_action(signal, &g_process.signal_actions->actions[signal], nullptr);
  }
}

void take_over_signals(Thread& thread, SignalMask mask) {
  check_signals_blocked();
  thread.signals.actions = g_process.signal_actions;
  thread.signals.mask = mask;
  system_call(kSigaltstack, 0, pointer_argument(&thread.signals.stack));
  // If there is no signal stack, the kernel reports a disabled one. A program starts with no flag.
  thread.signals.stack.flags &= kDisarms;
}

void leave_signal_stack(const Thread& thread) {
  SignalStack stack = thread.signals.stack;
  if (stack.bytes == 0) stack.flags |= kDisabled;
  system_call(kSigaltstack, pointer_argument(&stack));
}

namespace {

// Follows flush_signal_handlers() of kernel/signal.c.
void clear_actions(SignalActions& actions) {
  for (SignalAction& each : actions.actions) each = {each.handler == kIgnore ? kIgnore : kDefault, 0, 0, 0};
  for (int signal = 1; signal <= kSignals; ++signal) {
    const SignalAction& action = actions.actions[signal];
    if (engine_takes(signal, action)) install_action(signal, action);
  }
}

}  // namespace

void inherit_signals(Thread& child, Thread& parent, uint64_t flags) {
  child.signals.mask = parent.signals.mask;
  child.signals.stack = {0, kDisabled, 0, 0};
  if ((flags & kCloneVfork) != 0) child.signals.stack = parent.signals.stack;
  child.signals.actions = parent.signals.actions;
  if ((flags & kCloneSighand) != 0) {
    parent.signals.own_actions = nullptr;
    return;
  }
  SignalActions* own = child.signals.own_actions;
  if (own == nullptr) own = take<SignalActions>();
  if (own == nullptr) return;
  *own = *parent.signals.actions;
  child.signals.actions = child.signals.own_actions = own;
  child.signals.clears_actions = (flags & kCloneClearSighand) != 0;
}

void forget_signals_of_parent(Thread& thread) {
  SignalState& state = thread.signals;
  state.count = state.arrived = 0;
  state.yields = false;
}

void begin_signals_of_fork(Thread& thread, uint64_t flags) {
  const SignalState& state = thread.signals;
  if ((flags & kCloneClearSighand) != 0) clear_actions(*state.actions);
}

void open_signals(Thread& thread) {
  SignalStack engines{thread.signal_stack, 0, 0, kSignalStackBytes};
  system_call(kSigaltstack, pointer_argument(&engines), 0);
  if (thread.signals.clears_actions) clear_actions(*thread.signals.actions);
  thread.signals.clears_actions = false;
  take_ends_back(thread, thread.signals.ends_natively);
  thread.signals.ends_natively = 0;
  let_others_take_signals(thread.signals.mask);
  unblock_signals(thread);
}

SignalMask let_kernel_end_process(const Thread& thread) {
  check_signals_blocked();
  SignalMask ends = 0;
  for (int signal = 1; signal <= kSignals; ++signal) {
    SignalMask mask = mask_of(signal);
    bool ends_process = thread.signals.actions->actions[signal].handler == kDefault &&
                        (mask & (kHarmless | kEngines | kUncatchable | thread.signals.mask)) == 0;
    if (!ends_process) continue;
    install_default(signal);
    ends |= mask;
  }
  set_kernel_mask(~ends);
  return ends;
}

void take_ends_back(const Thread& thread, SignalMask signals) {
  if (signals == 0) return;
  block_signals();
  for (int signal = 1; signal <= kSignals; ++signal) {
    if ((signals & mask_of(signal)) != 0) install_action(signal, thread.signals.actions->actions[signal]);
  }
}

void let_others_take_signals(SignalMask mask) {
  constexpr int kMaxWaits = 20;
  check_signals_blocked();
  for (int i = 0; i < kMaxWaits; ++i) {
    SignalMask waiting = 0;
    system_call(kRtSigpending, pointer_argument(&waiting), kMaskBytes);
    if ((waiting & ~mask) == 0) return;
    sleep_ns(50'000);
  }
}

void set_kernel_mask(SignalMask mask) {
  system_call(kRtSigprocmask, kSetMask, pointer_argument(&mask), 0, kMaskBytes);
}
void block_signals() { set_kernel_mask(~SignalMask{0}); }
void block_signals_but_faults() { set_kernel_mask(~(mask_of(kSegv) | mask_of(kBus))); }
void block_signals_but_engines() { set_kernel_mask(kernel_mask(~SignalMask{0})); }
void unblock_signals(const Thread& thread) {
  check_signals_blocked();
  set_kernel_mask(kernel_mask(thread.signals));
}

void send_to_this_thread(const SignalInfo& info) {
  system_call(kRtTgsigqueueinfo, system_call(kSysGetpid), system_call(kSysGettid), info.number,
              pointer_argument(&info));
}

namespace {

// Sends the signal to the process if that was the original receiver, as far as the signal's code shows. If
// kill(2) sent the signal, only the first thread may send a copy to the process.
void send_again(const Thread& thread, const SignalInfo& info) {
  constexpr int64_t kRtSigqueueinfo = 129;
  constexpr int32_t kByKill = 0, kQueued = -1;  // SI_USER, SI_QUEUE
  int64_t process = system_call(kSysGetpid);
  bool to_process = info.code == kQueued || (info.code == kByKill && process == thread.tid);
  if (to_process)
    system_call(kRtSigqueueinfo, process, info.number, pointer_argument(&info));
  else
    send_to_this_thread(info);
}

}  // namespace

// A signal that this thread does not block has interrupted its system call. If another thread took the signal
// now, the call would fail with EINTR without a signal.
void send_pending_again(Thread& thread) {
  SignalState& state = thread.signals;
  for (uint32_t i = 0; i < state.count; ++i) {
    const PendingSignal& each = state.pending[i];
    is_due(each, state.mask) ? send_to_this_thread(each.info) : send_again(thread, each.info);
  }
  state.count = 0;
}

void discard_ignored(SignalState& state, SignalMask blocked) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state.count; ++i) {
    PendingSignal each = state.pending[i];
    uint64_t handler = state.actions->actions[each.info.number].handler;
    bool by_default = handler == kDefault && (mask_of(each.info.number) & kIgnoredByDefault) != 0;
    bool ignored = !each.forced && (handler == kIgnore || by_default);
    if (!ignored || !is_due(each, blocked)) state.pending[kept++] = each;
  }
  state.count = kept;
}

void return_blocked(SignalState& state) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state.count; ++i) {
    PendingSignal each = state.pending[i];
    bool stays = is_due(each, state.mask) || (mask_of(each.info.number) & kEngines) != 0;
    if (stays)
      state.pending[kept++] = each;
    else
      send_to_this_thread(each.info);
  }
  state.count = kept;
}

void lend_pending(Thread& thread) {
  block_signals();
  SignalState& state = thread.signals;
  if (signal_is_due(state)) {
    state.arrived = 1;
    return;
  }
  bool keeps_preempt = false;  // the program's own signal
  for (uint32_t i = 0; i < state.count; ++i)
    keeps_preempt = keeps_preempt || state.pending[i].info.number == kPreempt;
  send_pending_again(thread);
  set_kernel_mask(keeps_preempt ? state.mask : state.mask & ~mask_of(kPreempt));
}

void take_pending_back(const Thread& thread) {
  block_signals();
  unblock_signals(thread);
}

void forget_requests_for_core(const Thread& thread) {
  check_signals_blocked();
  constexpr uint32_t kMost = 2;  // signals of the program: one for the thread, one for the process
  SignalMask preempt = mask_of(kPreempt);
  Timespec now{};
  SignalInfo programs[kMost];
  uint32_t count = 0;
  while (system_call(kRtSigtimedwait, pointer_argument(&preempt), pointer_argument(&programs[count]),
                     pointer_argument(&now), kMaskBytes) > 0) {
    if (!is_preempt_request(programs[count]) && ++count == kMost) break;
  }
  for (uint32_t i = 0; i < count; ++i) send_again(thread, programs[i]);
}

void begin_mask_of_call(SignalState& state, SignalMask mask) {
  state.mask_after = state.mask;
  state.mask = mask & ~kUncatchable;
  state.mask_is_of_call = true;
}

void end_mask_of_call(SignalState& state) {
  if (state.mask_is_of_call) state.mask = state.mask_after;
  state.mask_is_of_call = false;
}

SignalInfo forced_fault() {
  constexpr int32_t kByKernel = 0x80;  // SI_KERNEL
  return {kSegv, 0, kByKernel, 0, 0, {}};
}

// If there is no room, the thread already has enough signals to take first.
void force_fault(SignalState& state) {
  if (state.count < SignalState::kMost) state.pending[state.count++] = {forced_fault(), true};
}

void pass_signals_to_exec(Thread& thread) {
  const SignalState& state = thread.signals;
  for (int signal = 1; signal <= kSignals; ++signal) {
    const SignalAction& action = state.actions->actions[signal];
    if (action.handler == kIgnore && engine_takes(signal, action)) kernel_action(signal, &action, nullptr);
  }
  block_signals();
  g_process.cores.end_requests();
  forget_requests_for_core(thread);
  bool call_is_done = !signal_is_due(thread.signals);
  if (call_is_done) send_pending_again(thread);
  set_kernel_mask(state.mask);
}

void restore_signals_after_exec(const Thread& thread) {
  block_signals();
  const SignalState& state = thread.signals;
  for (int signal = 1; signal <= kSignals; ++signal) {
    const SignalAction& action = state.actions->actions[signal];
    if (action.handler == kIgnore && engine_takes(signal, action)) install_action(signal, action);
  }
  unblock_signals(thread);
}

namespace {

void forget_pending(SignalState& state, int signal) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state.count; ++i) {
    PendingSignal each = state.pending[i];
    if (each.forced || each.info.number != signal) state.pending[kept++] = each;
  }
  state.count = kept;
}

}  // namespace

// Checks in the kernel's order (kernel/signal.c): a bad address for the old action is detected after the new
// action has been installed.
int64_t set_signal_action(Thread& thread) {
  const uint64_t* arguments = thread.context.registers;
  auto signal = static_cast<int>(arguments[kDi]);
  uint64_t wanted = arguments[kSi], before = arguments[kDx];
  if (arguments[kR10] != kMaskBytes) return kInvalid;
  SignalAction next{};
  if (wanted != 0 && !read_program(wanted, next)) return kBadAddress;
  if (signal < 1 || signal > kSignals) return kInvalid;
  if (wanted != 0 && (mask_of(signal) & kUncatchable) != 0) return kInvalid;
  SignalAction& action = thread.signals.actions->actions[signal];
  SignalAction old = action;
  if (wanted != 0) {
    next.flags &= kKeptFlags;
    next.mask &= ~kUncatchable;
    int64_t result = install_action(signal, next);
    if (result < 0) return result;
    action = next;
    if (next.handler == kIgnore) forget_pending(thread.signals, signal);
  }
  return before == 0 || write_program(before, old) ? 0 : kBadAddress;
}

namespace {

// Sets the kernel's mask. Returns kCallAgain if a signal has arrived before.
int64_t exchange_kernel_mask(Thread& thread, SignalMask mask) {
  SignalMask kernels = kernel_mask(mask);
  Context call{};
  call.registers[kDi] = kSetMask;
  call.registers[kSi] = reinterpret_cast<uint64_t>(&kernels);
  call.registers[kR10] = kMaskBytes;
  return hm_raw_system_call(&call, kRtSigprocmask, nullptr, &thread.signals.arrived);
}

}  // namespace

int64_t set_signal_mask(Thread& thread) {
  const uint64_t* arguments = thread.context.registers;
  uint64_t wanted = arguments[kSi], before = arguments[kDx];
  if (arguments[kR10] != kMaskBytes) return kInvalid;
  SignalMask old = thread.signals.mask;
  if (wanted != 0) {
    constexpr uint32_t kBlock = 0, kUnblock = 1;
    SignalMask given = 0;
    if (!read_program(wanted, given)) return kBadAddress;
    given &= ~kUncatchable;
    auto how = static_cast<uint32_t>(arguments[kDi]);
    if (how > kSetMask) return kInvalid;
    SignalMask next = how == kBlock ? old | given : how == kUnblock ? old & ~given : given;
    if (int64_t result = exchange_kernel_mask(thread, next); result < 0) return result;
    thread.signals.mask = next;
  }
  return before == 0 || write_program(before, old) ? 0 : kBadAddress;
}

// Follows do_sigaltstack() of kernel/signal.c.
int64_t change_signal_stack(SignalState& state, const SignalStack& wanted, uint64_t sp) {
  if (is_on(state.stack, sp)) return kNoPermission;
  int32_t mode = wanted.flags & ~kDisarms;
  if (mode != kDisabled && mode != kOnStack && mode != 0) return kInvalid;
  SignalStack next{wanted.start, wanted.flags, 0, wanted.bytes};
  if (mode == kDisabled) next.start = next.bytes = 0;
  if (mode != kDisabled && next.bytes < kMinimumStackBytes) return kNoMemory;
  state.stack = next;
  return 0;
}

int64_t set_signal_stack(Thread& thread) {
  const uint64_t* arguments = thread.context.registers;
  uint64_t wanted = arguments[kDi], before = arguments[kSi], sp = arguments[kSp];
  SignalStack next{}, old = thread.signals.stack;
  if (wanted != 0 && !read_program(wanted, next)) return kBadAddress;
  int32_t use = old.bytes == 0 ? kDisabled : is_on(old, sp) ? kOnStack : 0;
  old.flags = use | (old.flags & kDisarms);
  if (wanted != 0) {
    int64_t result = change_signal_stack(thread.signals, next, sp);
    if (result < 0) return result;
  }
  return before == 0 || write_program(before, old) ? 0 : kBadAddress;
}

}  // namespace hm::soft::direct
