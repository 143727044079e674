// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/native_signals.h"

#include <stddef.h>

#include "pmu/soft/direct/core/preempt_signal.h"
#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

extern "C" [[noreturn]] void hm_return_from_signal(const hm::soft::direct::UserContext* context);

namespace hm::soft::direct {
namespace {

bool is_fault(const SignalInfo& info) { return info.code > 0 && (mask_of(info.number) & kEngines) != 0; }

// Acts as if the signal had no handler: once the engine's handler returns, the thread meets the signal again.
void do_default_action(const SignalInfo& info, UserContext& context) {
  install_default(info.number);
  if (is_fault(info) && info.number != kTrap) return;
  context.mask &= ~mask_of(info.number);
  system_call(kTgkill, system_call(kSysGetpid), system_call(kSysGettid), info.number);
}

// Returns true if the kernel has put its frame on the alternate stack, as the engine's actions require,
// although the target's action does not.
bool is_on_another_stack(const SignalAction& action, const UserContext& context) {
  bool was_on_it = is_on(context.stack, context.registers.sp);
  bool frame_is_on_it = range_of(context.stack).holds(reinterpret_cast<uint64_t>(&context));
  return frame_is_on_it && !was_on_it && (action.flags & kOnAlternateStack) == 0;
}

// Returns the action that applies to this handler. If the next signal would then be ignored, the kernel's
// action is not changed: the kernel would drop pending signals.
SignalAction take_action(int signal, SignalAction& action) {
  SignalAction taken = action;
  if ((action.flags & kResetHandler) == 0) return taken;
  action.handler = kDefault;
  if ((mask_of(signal) & kIgnoredByDefault) == 0) install_action(signal, action);
  return taken;
}

// Applies the effects of a starting handler on the signal mask and the signal stack.
void begin_handler(int signal, const SignalAction& action, HandlerPlace place) {
  place.mask |= action.mask;
  if ((action.flags & kNoDefer) == 0) place.mask |= mask_of(signal);
  if ((place.stack.flags & kDisarms) != 0) place.stack = {0, kDisabled, 0, 0};
}

// Returns the segments of a handler: 64-bit code, and the stack segment with which the kernel has started the
// engine's own handler. The interrupted code's stack segment may be invalid.
uint64_t segments_of_handler(uint64_t interrupted) {
  constexpr uint64_t kStackSegment = 48, kKept = 0x0000'ffff'ffff'0000;
  uint16_t stack_segment;
  __asm__("movw %%ss, %0" : "=rm"(stack_segment));
  return (interrupted & kKept) | kCode64 | static_cast<uint64_t>(stack_segment) << kStackSegment;
}

// Sets the registers as the kernel does to start a handler with a frame at `frame`.
void point_at_handler(int signal, SignalContext& registers, uint64_t frame, const SignalAction& action) {
  registers.di = static_cast<uint64_t>(signal);
  registers.si = frame + offsetof(SignalFrame, info);
  registers.dx = frame + offsetof(SignalFrame, context);
  registers.ax = 0;
  registers.sp = frame;
  registers.ip = action.handler;
  registers.segments = segments_of_handler(registers.segments);
  registers.flags &= ~(kTrapFlag | kDirectionBit | kResumeFlag);
  registers.vector_state = 0;  // the vector registers begin as in a new program
}

// Starts a handler on the frame that the kernel has made for the engine. Uses rt_sigreturn, which sets the
// mask and the registers at once, as the kernel does. A signal that arrives in between would leave a frame on
// the stack that returns to the engine, which may be gone by then.
[[noreturn]] void enter_native_handler(const SignalInfo& info, SignalAction& action, UserContext& context) {
  SignalAction taken = take_action(info.number, action);
  auto& frame =
      *reinterpret_cast<SignalFrame*>(reinterpret_cast<uint64_t>(&context) - offsetof(SignalFrame, context));
  frame.return_address = taken.restorer;
  UserContext beginning = context;
  point_at_handler(info.number, beginning.registers, reinterpret_cast<uint64_t>(&frame), taken);
  begin_handler(info.number, taken, {beginning.stack, beginning.mask, 0});
  hm_return_from_signal(&beginning);
}

// Addresses of the frame and of the vector state above it (arch/x86/kernel/signal.c, get_sigframe()).
struct FramePlace {
  uint64_t frame, vectors;
  uint64_t vector_bytes;
  bool fits;  // the frame is not on the signal stack, or fits on it
};

FramePlace frame_place(const SignalAction& action, const SignalStack& stack, const SignalContext& registers) {
  bool nested = is_on(stack, registers.sp);
  uint64_t sp = registers.sp - kRedZone;
  bool enters = (action.flags & kOnAlternateStack) != 0 && range_of(stack).bytes != 0 && !is_on(stack, sp);
  if (enters) sp = stack.start + stack.bytes;
  FramePlace place{};
  place.vector_bytes = registers.vector_state == 0 ? 0 : vector_state_bytes(registers.vector_state);
  place.vectors = (sp - place.vector_bytes) & ~uint64_t{63};
  place.frame = ((place.vectors - sizeof(SignalFrame)) & ~uint64_t{15}) - 8;
  place.fits = !(nested || enters) || range_of(stack).holds(place.frame);
  return place;
}

}  // namespace

Thread* thread_of_signal_stack(const SignalStack& stack) {
  bool may_be = stack.bytes == kSignalStackBytes && (stack.start & (kThreadBlockBytes - 1)) == 0;
  if (!may_be || (stack.flags & kDisabled) != 0) return nullptr;
  const auto& mark = *reinterpret_cast<const SignalStackMark*>(stack.start);
  return mark.tag == (stack.start ^ kSignalStackTag) ? reinterpret_cast<Thread*>(mark.thread) : nullptr;
}

bool push_handler(const SignalInfo& info, SignalAction& action, HandlerPlace place, UserContext& context) {
  SignalContext& registers = context.registers;
  SignalAction taken = take_action(info.number, action);
  FramePlace at = frame_place(taken, place.stack, registers);
  const auto* vectors = reinterpret_cast<const void*>(registers.vector_state);
  SignalFrame frame{taken.restorer, context, info};
  frame.context.registers.vector_state = at.vector_bytes != 0 ? at.vectors : 0;
  frame.context.stack = place.stack;
  frame.context.mask = frame.context.registers.old_mask = place.mask_after;
  if (!at.fits || !write_program(at.vectors, vectors, at.vector_bytes) || !write_program(at.frame, frame))
    return false;
  point_at_handler(info.number, registers, at.frame, taken);
  begin_handler(info.number, taken, place);
  return true;
}

namespace {

// Starts the handler on the target's stack. If there is no room for it, starts the handler of SIGSEGV, or
// ends the process.
void push_native_handler(const SignalInfo& info, SignalAction& action, UserContext& context) {
  SignalStack stack = context.stack;
  HandlerPlace place{stack, context.mask, context.mask};
  if (push_handler(info, action, place, context)) return void(context.stack = stack);
  SignalInfo fault = forced_fault();
  SignalAction& of_fault = g_process.signal_actions->actions[kSegv];
  bool blocked = (context.mask & mask_of(kSegv)) != 0;
  if (info.number != kSegv && of_fault.handler > kIgnore && !blocked &&
      push_handler(fault, of_fault, place, context))
    return void(context.stack = stack);
  install_default(kSegv);
  context.mask &= ~mask_of(kSegv);
  system_call(kTgkill, system_call(kSysGetpid), system_call(kSysGettid), kSegv);
}

}  // namespace

void on_signal_in_native_thread(const SignalInfo& info, UserContext& context) {
  constexpr int32_t kAccessRefused = 2;  // SEGV_ACCERR
  if (is_preempt_request(info)) return;
  if (is_fault(info) && info.number == kSegv && info.code == kAccessRefused &&
      g_process.copies.resolve_write(info.address))
    return;
  SignalAction& action = g_process.signal_actions->actions[info.number];
  bool blocked = is_fault(info) && (context.mask & mask_of(info.number)) != 0;
  if (action.handler > kIgnore && !blocked) {
    if (!is_on_another_stack(action, context)) enter_native_handler(info, action, context);
    return push_native_handler(info, action, context);
  }
  bool ignored = action.handler == kIgnore || (mask_of(info.number) & kHarmless) != 0;
  if (!ignored || is_fault(info)) do_default_action(info, context);
}

}  // namespace hm::soft::direct
