// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/native_signals.h"

#include <stddef.h>

#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

extern "C" [[noreturn]] void hm_return_from_signal(const hm::soft::direct::UserContext* context);

namespace hm::soft::direct {
namespace {

bool is_fault(const SignalInfo& info) { return info.code > 0 && (mask_of(info.number) & kEngines) != 0; }

// As where nobody handles it: once the handler returns, the thread meets it again.
void do_default_action(const SignalInfo& info, UserContext& context) {
  install_default(info.number);
  if (is_fault(info) && info.number != kTrap) return;
  context.mask &= ~mask_of(info.number);
  system_call(kTgkill, system_call(kSysGetpid), system_call(kSysGettid), info.number);
}

// The kernel has put its frame on the alternate stack, as the engine's actions ask for, where the target's
// does not.
bool is_on_another_stack(const SignalAction& action, const UserContext& context) {
  bool was_on_it = is_on(context.stack, context.registers.sp);
  bool frame_is_on_it = is_on(context.stack, reinterpret_cast<uint64_t>(&context));
  return frame_is_on_it && !was_on_it && (action.flags & kOnAlternateStack) == 0;
}

// Takes effect as the action's handler begins.
void begin_handler(int signal, SignalAction& action, SignalMask& mask) {
  mask |= action.mask;
  if ((action.flags & kNoDefer) == 0) mask |= mask_of(signal);
  if ((action.flags & kResetHandler) == 0) return;
  action.handler = kDefault;
  install_action(signal, action);
}

// As the kernel begins a handler on a frame.
void point_at_handler(SignalContext& registers, SignalFrame& frame, const SignalAction& action) {
  registers.di = static_cast<uint64_t>(frame.info.number);
  registers.si = reinterpret_cast<uint64_t>(&frame.info);
  registers.dx = reinterpret_cast<uint64_t>(&frame.context);
  registers.ax = 0;
  registers.sp = reinterpret_cast<uint64_t>(&frame);
  registers.ip = action.handler;
  registers.flags &= ~(kTrapFlag | kDirectionBit | kResumeFlag);
}

// On the frame that the kernel has made for the engine, as the kernel begins a handler: by rt_sigreturn,
// which sets the mask and the registers at once. A signal that arrives in between would leave a frame on the
// stack that returns to the engine, which may be gone by then.
[[noreturn]] void enter_native_handler(const SignalInfo& info, SignalAction& action, UserContext& context) {
  auto& frame =
      *reinterpret_cast<SignalFrame*>(reinterpret_cast<uint64_t>(&context) - offsetof(SignalFrame, context));
  frame.return_address = action.restorer;
  UserContext beginning = context;
  point_at_handler(beginning.registers, frame, action);
  beginning.registers.vector_state = 0;   // as for every handler
  constexpr int32_t kDisarmed = 1 << 31;  // sigaltstack(2), SS_AUTODISARM: while the handler runs
  if ((beginning.stack.flags & kDisarmed) != 0) beginning.stack = {0, kDisabled, 0, 0};
  begin_handler(info.number, action, beginning.mask);
  hm_return_from_signal(&beginning);
}

}  // namespace

Thread* thread_of_signal_stack(const SignalStack& stack) {
  bool may_be = stack.bytes == kSignalStackBytes && (stack.start & (kThreadBlockBytes - 1)) == 0;
  if (!may_be || (stack.flags & kDisabled) != 0) return nullptr;
  const auto& mark = *reinterpret_cast<const SignalStackMark*>(stack.start);
  return mark.tag == (stack.start ^ kSignalStackTag) ? reinterpret_cast<Thread*>(mark.thread) : nullptr;
}

void push_handler(const SignalInfo& info, SignalAction& action, HandlerPlace place, UserContext& context) {
  SignalContext& registers = context.registers;
  const SignalStack& shown = place.stack;
  bool on_stack = is_on(shown, registers.sp);
  bool change = (action.flags & kOnAlternateStack) != 0 && (shown.flags & kDisabled) == 0 &&
                shown.bytes != 0 && !on_stack;
  uint64_t sp = change ? shown.start + shown.bytes : registers.sp - kRedZone;
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
  frame.context.mask = place.mask;
  frame.info = info;

  point_at_handler(registers, frame, action);
  begin_handler(info.number, action, place.mask);
}

void on_signal_in_native_thread(const SignalInfo& info, UserContext& context) {
  constexpr int32_t kAccessRefused = 2, kByThread = -6;  // SEGV_ACCERR, SI_TKILL
  if (info.number == kPreempt && info.code == kByThread) return;
  if (is_fault(info) && info.number == kSegv && info.code == kAccessRefused &&
      g_process.copies.resolve_write(info.address))
    return;
  SignalAction& action = g_process.signal_actions->actions[info.number];
  bool blocked = is_fault(info) && (context.mask & mask_of(info.number)) != 0;
  if (action.handler > kIgnore && !blocked) {
    if (!is_on_another_stack(action, context)) enter_native_handler(info, action, context);
    SignalStack stack = context.stack;
    return push_handler(info, action, {stack, context.mask}, context);
  }
  bool ignored = action.handler == kIgnore || (mask_of(info.number) & kHarmless) != 0;
  if (!ignored || is_fault(info)) do_default_action(info, context);
}

}  // namespace hm::soft::direct
