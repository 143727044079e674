// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/signal_actions.h"

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

extern "C" {
void hm_signal_entry();
void hm_signal_return();
}

namespace hm::soft::direct {
namespace {

constexpr int64_t kInvalid = -22, kNoMemory = -12, kNotPermitted = -1;
constexpr uint64_t kMinimumStackBytes = 2048;

int64_t kernel_action(int signal, const SignalAction* wanted, SignalAction* before) {
  return system_call(kRtSigaction, signal, pointer_argument(wanted), pointer_argument(before), kMaskBytes);
}

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
    kernels.mask = ~SignalMask{0};
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
  thread.signals.actions = g_process.signal_actions;
  thread.signals.mask = mask;
  system_call(kSigaltstack, 0, pointer_argument(&thread.signals.stack));
  thread.signals.stack.flags &= ~kOnStack;
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
  let_others_take_signals(thread.signals.mask);
  unblock_signals(thread);
}

void let_others_take_signals(SignalMask mask) {
  constexpr int kMostWaits = 20;
  Timespec a_moment{0, 50000};
  for (int i = 0; i < kMostWaits; ++i) {
    SignalMask waiting = 0;
    system_call(kRtSigpending, pointer_argument(&waiting), kMaskBytes);
    if ((waiting & ~mask) == 0) return;
    system_call(kNanosleep, pointer_argument(&a_moment), 0);
  }
}

void set_kernel_mask(SignalMask mask) {
  system_call(kRtSigprocmask, kSetMask, pointer_argument(&mask), 0, kMaskBytes);
}
void block_signals() { set_kernel_mask(~SignalMask{0}); }
void unblock_signals(const Thread& thread) {
  bool is_full = thread.signals.count == SignalState::kMost;
  set_kernel_mask(kernel_mask(is_full ? ~SignalMask{0} : thread.signals.mask));
}

void send_pending_again(Thread& thread) {
  SignalState& state = thread.signals;
  for (uint32_t i = 0; i < state.count; ++i) {
    SignalInfo& info = state.pending[i].info;
    system_call(kRtTgsigqueueinfo, system_call(kSysGetpid), thread.tid, info.number, pointer_argument(&info));
  }
  state.count = 0;
}

void pass_signals_to_exec(Thread& thread) {
  const SignalState& state = thread.signals;
  for (int signal = 1; signal <= kSignals; ++signal) {
    const SignalAction& action = state.actions->actions[signal];
    if (action.handler == kIgnore && engine_takes(signal, action)) kernel_action(signal, &action, nullptr);
  }
  block_signals();
  bool call_is_done = !signal_is_due(thread.signals);
  if (call_is_done) send_pending_again(thread);
  set_kernel_mask(state.mask);
}

void restore_signals_after_exec(const Thread& thread) {
  const SignalState& state = thread.signals;
  for (int signal = 1; signal <= kSignals; ++signal) {
    const SignalAction& action = state.actions->actions[signal];
    if (action.handler == kIgnore && engine_takes(signal, action)) install_action(signal, action);
  }
  unblock_signals(thread);
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
    int64_t result = install_action(signal, next);
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

}  // namespace hm::soft::direct
