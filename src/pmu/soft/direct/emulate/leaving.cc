// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/leaving.h"
#include "base/thread_safety.h"

#include "pmu/soft/direct/core/preempt_signal.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/episodes.h"
#include "pmu/soft/direct/emulate/invariants.h"
#include "pmu/soft/direct/emulate/processes.h"
#include "pmu/soft/direct/emulate/restart_areas.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/process/attachment.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/direct/runtime/thread_list.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

// The system call that the trampoline makes.
struct TrampolineCall {
  uint64_t number, arguments[4];
  uint64_t trampoline;
};

// Arguments of the call with which the last thread waits for the launcher, which unmaps the engine meanwhile.
// rt_sigtimedwait(2) of no signal is the only wait that does not replace the call that restart_syscall(2)
// resumes.
struct Parking {
  SignalMask none;
  Timespec patience;
};

}  // namespace
}  // namespace hm::soft::direct

extern "C" {
[[noreturn]] void hm_go_native(const hm::soft::direct::Context* context, uint64_t frame,
                               const hm::soft::direct::TrampolineCall* call);
[[noreturn]] void hm_leave_asleep(hm::soft::direct::Thread* thread, uint64_t call);
extern const char hm_leave_call[], hm_system_call_return[];
}

namespace hm::soft::direct {
namespace {

// Continues inside the engine: the thread takes the signal that is due, and then leaves at the beginning of
// its handler.
[[noreturn]] void take_signal_first(Core& core) {
  unblock_signals(*core.thread);
  core.attention = 1;
  core.exit = kExitElsewhere;
  hm_enter(reinterpret_cast<const uint8_t*>(hm_trap_for_signal));
}

// Blocks all signals, for good unless a signal is due. The kernel cannot get such a signal back: it would be
// behind later ones of its number, or lost if the signal queue is full (RLIMIT_SIGPENDING).
void block_signals_to_leave(Core& core) {
  block_signals();
  if (signal_is_due(core.thread->signals)) take_signal_first(core);
}

// Counts the calling thread as gone. Returns true if it is the last thread, has let the process go for good,
// and must wait for the launcher, which unmaps the engine. The launcher does not watch over a program that it
// has started.
bool note_gone() {
  Attachment& counts = attachment();
  uint32_t gone = __atomic_add_fetch(&counts.gone, 1, __ATOMIC_SEQ_CST);
  bool is_last = gone == __atomic_load_n(&counts.taken_over, __ATOMIC_SEQ_CST) +
                             __atomic_load_n(&counts.born, __ATOMIC_SEQ_CST);
  uint32_t held = kInside;
  bool releases = is_last && __atomic_compare_exchange_n(&counts.released, &held, uint32_t{kBeingLetGo},
                                                         false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (!releases) return false;
  bool for_now = __atomic_load_n(&counts.leaving, __ATOMIC_SEQ_CST) == 0 &&
                 __atomic_load_n(&session()->let_go, __ATOMIC_SEQ_CST) != kLeaveForGood;
  end_episode(for_now);
  return !for_now && was_running();
}

// Leaves the engine, and returns the result of note_gone().
bool leave_process(Thread& thread) {
  send_pending_again(thread);
  g_process.threads.end(thread);
  g_process.threads.note_left(thread);  // before requests end: see wake_thread()
  if (thread.core != nullptr) g_process.cores.free_core_of(thread);
  g_process.cores.end_requests();
  forget_requests_for_core(thread);
  leave_signal_stack(thread);
  system_call(kArchPrctl, kSetGs, 0);
  return note_gone();
}

TrampolineFrame native_frame(const Context& context) {
  const uint64_t* r = context.registers;
  return {r[kAx], r[kCx],  r[kDx],  r[kSi],        r[kDi],    r[kR8],
          r[kR9], r[kR10], r[kR11], context.flags, context.ip};
}

// Continues natively. Called with all signals blocked; the last system call on the way unblocks them.
[[noreturn]] void go_native(const Context& context, SignalMask native_mask, bool waits_for_launcher) {
  let_others_take_signals(native_mask);
  check_no_lock("a thread holds no lock when it leaves the engine");
  uint64_t trampoline = attachment().trampoline;
  uint64_t native = trampoline_frame_below(context.registers[kSp]);
  *reinterpret_cast<TrampolineFrame*>(native) = native_frame(context);
  auto* mask = reinterpret_cast<SignalMask*>(native - sizeof(SignalMask));
  *mask = native_mask;
  TrampolineCall unblock{
      kRtSigprocmask, {kSetMask, reinterpret_cast<uint64_t>(mask), 0, kMaskBytes}, trampoline};
  if (!waits_for_launcher) hm_go_native(&context, native, &unblock);

  uint64_t waiting = trampoline_frame_below(native);
  TrampolineFrame& frame = *reinterpret_cast<TrampolineFrame*>(waiting);
  frame = {};
  frame.ax = unblock.number;
  frame.di = unblock.arguments[0];
  frame.si = unblock.arguments[1];
  frame.r10 = unblock.arguments[3];
  frame.flags = 2;
  frame.ip = trampoline;
  auto* parking = reinterpret_cast<Parking*>(waiting - sizeof(Parking));
  *parking = {0, {1, 0}};
  TrampolineCall park{kRtSigtimedwait,
                      {reinterpret_cast<uint64_t>(&parking->none), 0,
                       reinterpret_cast<uint64_t>(&parking->patience), kMaskBytes},
                      trampoline};
  hm_go_native(&context, waiting, &park);
}

[[noreturn]] void go_native(const Thread& thread, bool waits_for_launcher) {
  Context context = thread.context;
  context.ip = restarted(thread, context.ip);
  go_native(context, thread.signals.mask, waits_for_launcher);
}

// Reduces the timeout of a system call by the time that has passed since the call began.
void shorten_time_limit(Thread& thread) {
  constexpr uint64_t kNsPerMs = 1000000;
  auto limit_ms = static_cast<int32_t>(thread.context.registers[kR10]);
  if (!has_millisecond_limit(call_number(thread.context.registers[kAx])) || limit_ms <= 0) return;
  uint64_t passed_ms = (monotonic_ns() - thread.call_began_ns) / kNsPerMs;
  auto limit = static_cast<uint64_t>(limit_ms);
  thread.context.registers[kR10] = passed_ms < limit ? limit - passed_ms : 0;
}

// Checks that the recorder lives. If it is killed, no other process makes the threads leave.
void look_for_recorder() {
  constexpr uint64_t kTicksBetween = uint64_t{1} << 28;  // of the time-stamp counter: a tenth of a second
  static uint64_t last;
  uint64_t now = __builtin_ia32_rdtsc();
  uint64_t before = __atomic_load_n(&last, __ATOMIC_RELAXED);
  if (now - before < kTicksBetween) return;
  __atomic_store_n(&last, now, __ATOMIC_RELAXED);
  if (!recorder_lives(g_process.recording.session_descriptor())) let_all_go();
}

// Returns true if the launcher requests it, or if begin_episode() had no descriptor for the session.
bool threads_are_to_leave() {
  if (g_process.recording.session_descriptor() < 0) return true;
  look_for_recorder();
  return __atomic_load_n(&attachment().leaving, __ATOMIC_RELAXED) != 0 ||
         __atomic_load_n(&session()->let_go, __ATOMIC_RELAXED) != kStay;
}

// Returns true if threads other than the calling thread are inside the engine.
bool others_are_inside() {
  const Attachment& counts = attachment();
  return __atomic_load_n(&counts.gone, __ATOMIC_SEQ_CST) + 1 <
         __atomic_load_n(&counts.taken_over, __ATOMIC_SEQ_CST) +
             __atomic_load_n(&counts.born, __ATOMIC_SEQ_CST);
}

// Wakes a thread that sleeps in a system call. It leaves the engine and makes that call again natively. A
// thread that has left gets no request: it would be pending when the program's own action, which may end the
// process, is in effect again.
void wake_thread(uint32_t thread) {
  bool is_caller = thread == static_cast<uint32_t>(system_call(kSysGettid));
  if (is_caller || g_process.threads.has_left(thread)) return;
  send_preempt_request(static_cast<uint32_t>(system_call(kSysGetpid)), thread);
}

// Called by a thread without a core. The threads of an attached process that sleep are woken by its launcher.
void wait_for_others_to_leave() {
  constexpr uint64_t kTimeoutNs = 2'000'000'000;
  if (others_are_inside() && !was_running())
    g_process.cores.while_none_ends_requests([] { for_each_thread(wake_thread); });
  for (uint64_t start = monotonic_ns(); others_are_inside() && monotonic_ns() - start < kTimeoutNs;)
    sleep_ns(500'000);
}

}  // namespace

void publish_addresses(ProcessArea& area) {
  g_process.runtime.area = &area;
  area.attachment.leave_call = reinterpret_cast<uint64_t>(hm_leave_call);
  area.attachment.call_return = reinterpret_cast<uint64_t>(hm_system_call_return);
}

void let_process_go(LeaveReason reason) {
  uint32_t none = 0;
  bool is_first = __atomic_compare_exchange_n(&attachment().leaving, &none, static_cast<uint32_t>(reason),
                                              false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (!is_first) return;
  g_process.recording.write(leave_notice(static_cast<uint32_t>(system_call(kSysGetpid)), reason));
  g_process.cores.preempt_all();
}

void let_all_go() { __atomic_store_n(&session()->let_go, uint32_t{kLeaveForGood}, __ATOMIC_SEQ_CST); }

bool is_to_leave(const Core& core) {
  const Thread& thread = *core.thread;
  bool handler_is_next = thread.signals.mask_is_of_call;  // natively, the call's mask would stay in effect
  return can_leave() && threads_are_to_leave() && !is_of_vfork(thread) && !handler_is_next;
}

// The kernel checks the addresses: it writes the signal mask there.
bool has_stack(const Context& context) {
  uint64_t first = trampoline_frame_below(context.registers[kSp]);
  uint64_t lowest = trampoline_frame_below(first) - sizeof(Parking);
  const auto is_writable = [](uint64_t address) {
    return system_call(kRtSigprocmask, kSetMask, 0, address, kMaskBytes) == 0;
  };
  return is_writable(lowest) && is_writable(first + sizeof(TrampolineFrame) - sizeof(SignalMask));
}

void leave(Core& core) {
  block_signals_to_leave(core);
  Thread& thread = *core.thread;
  g_process.cores.release(core);
  go_native(thread, leave_process(thread));
}

Context context_of(const StartInfo& start) {
  Context context{};
  for (unsigned i = 0; i < 16; ++i) context.registers[i] = start.registers[i];
  for (unsigned i = 0; i < 8; ++i) context.vectors[i] = start.vectors[i];
  context.ip = start.ip;
  context.flags = start.flags;
  context.fs_base = start.fs_base;
  return context;
}

void leave_at_arrival(const StartInfo& start) {
  if (!can_leave())
    give_up("hardmeter: no memory for the engine, and the program cannot continue without it\n");
  let_process_go(LeaveReason::kNoMemory);
  __atomic_fetch_add(&attachment().arrived, 1, __ATOMIC_SEQ_CST);
  Context context = context_of(start);
  go_native(context, start.signal_mask, note_gone());
}

// The thread holds the lock of copies.
void leave_while_copying(LeaveReason reason) HM_UNCHECKED_LOCKS {
  Core* core = g_process.copying_for;
  if (core == nullptr || !may_leave(*core->thread)) return;
  g_process.copying_for = nullptr;
  g_process.copies.lock().unlock();
  let_process_go(reason);
  leave(*core);
}

void leave_unreadable_code() {
  leave_while_copying(LeaveReason::kUnreadableCode);
  give_up("hardmeter: the program's code cannot be read any more, and the process cannot leave the engine\n");
}

bool may_leave(const Thread& thread) { return can_leave() && !is_of_vfork(thread); }

void leave_for(Core& core, LeaveReason reason) {
  Thread& thread = *core.thread;
  // First, so that the request for the calling thread's own core stays pending. A tracer would see its
  // delivery.
  block_signals_to_leave(core);
  let_process_go(reason);
  g_process.cores.release(core);
  wait_for_others_to_leave();
  go_native(thread, leave_process(thread));
}

}  // namespace hm::soft::direct

// `call` is the number of the system call that the thread makes next: its own, or restart_syscall's.
extern "C" void hm_leave_asleep(hm::soft::direct::Thread* thread, uint64_t call) {
  using namespace hm::soft::direct;
  constexpr uint64_t kInstructionBytes = 2;
  block_signals();
  if (call == call_number(thread->context.registers[kAx])) shorten_time_limit(*thread);
  thread->context.registers[kAx] = call;
  thread->context.ip -= kInstructionBytes;
  if (signal_is_due(thread->signals)) take_signal_first(g_process.cores.take(*thread));
  go_native(*thread, leave_process(*thread));
}
