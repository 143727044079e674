// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/processes.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/clone_flags.h"
#include "pmu/soft/direct/emulate/invariants.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/process/attachment.h"
#include "pmu/soft/direct/process/locks.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kOutOfMemory = -12, kTooLarge = -7, kInvalidArguments = -22;

// The part of clone3(2)'s clone_args that the engine needs.
struct CloneArguments {
  uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

struct Request {
  uint64_t flags;
  uint64_t stack;        // the child's stack pointer; 0: the caller's
  uint64_t stack_bytes;  // size below that stack pointer; 0: not given
  uint64_t tls;
};

// The call as the engine makes it, with a copy of clone3's arguments: another thread may change the arguments
// in the target's memory.
struct Call {
  static constexpr uint64_t kMaxBytes = 256;

  Context context;
  union {
    CloneArguments arguments;
    uint8_t bytes[kMaxBytes];
  };
};

// Implements copy_struct_from_user() and clone3_stack_valid() of the kernel. Returns 0 or the error. Bytes
// beyond the arguments that any kernel has must be zero.
int64_t copy_clone_arguments(Call& call) {
  constexpr uint64_t kFirstVersion = 64, kMaxAccepted = 4096, kEndOfUser = 0x7fff'ffff'f000;
  uint64_t from = call.context.registers[kDi];
  uint64_t& bytes = call.context.registers[kSi];
  if (bytes > kMaxAccepted) return kTooLarge;
  if (bytes < kFirstVersion) return kInvalidArguments;
  uint64_t known = bytes < Call::kMaxBytes ? bytes : Call::kMaxBytes;
  if (!read_program(from, call.bytes, known)) return kBadAddress;
  for (uint64_t at = known; at < bytes; ++at) {
    uint8_t beyond = 0;
    if (!read_program(from + at, beyond)) return kBadAddress;
    if (beyond != 0) return kTooLarge;
  }
  bytes = known;
  call.context.registers[kDi] = reinterpret_cast<uint64_t>(&call.arguments);
  const CloneArguments& given = call.arguments;
  bool has_stack = given.stack != 0;
  bool in_reach = given.stack_size <= kEndOfUser && given.stack <= kEndOfUser - given.stack_size;
  return has_stack == (given.stack_size != 0) && in_reach ? 0 : kInvalidArguments;
}

// Fills `request` and `call`. Returns 0 or the error.
int64_t understand(const Context& context, uint64_t number, Request& request, Call& call) {
  constexpr uint64_t kFlagsOfClone = 0xffff'ffff;
  const uint64_t* r = context.registers;
  call.context = context;
  request = {};
  if (number == kClone) request = {r[kDi] & kFlagsOfClone, r[kSi], 0, r[kR8]};
  if (number == kVfork) request = {kCloneVm | kCloneVfork, 0, 0, 0};
  if (number != kClone3) return 0;
  if (int64_t error = copy_clone_arguments(call); error != 0) return error;
  const CloneArguments& given = call.arguments;
  request = {given.flags, given.stack + given.stack_size, given.stack_size, given.tls};
  return 0;
}

Context child_context(const Context& parent, const Request& request) {
  Context child = parent;
  child.registers[kAx] = 0;
  child.registers[kCx] = parent.ip;
  child.registers[kR11] = parent.flags;
  if (request.stack != 0) child.registers[kSp] = request.stack;
  if ((request.flags & kCloneSettls) != 0) child.fs_base = request.tls;
  return child;
}

// Frees a child of vfork after vfork has returned: the child has ended or executes another program.
void bury(Thread& child) {
  g_process.threads.end(child);
  if (child.core != nullptr) g_process.cores.free_core_of(child);
  child.stack_in_use = 0;
  g_process.threads.free(&child);
}

// Called while all signals are blocked, because the child has no signal stack yet.
int64_t begin_child(Thread& thread, Thread& child, uint64_t number, const Call& call, bool is_thread) {
  if (signal_is_due(thread.signals)) return kCallAgain;
  check_before_call(thread);
  if (is_thread) note_birth(1);
  if (is_thread) g_process.cores.expect(child);
  int64_t result = hm_raw_system_call(&call.context, number, &child, &thread.signals.arrived);
  if (result < 0 && is_thread) note_birth(-1);
  if (result < 0 && is_thread) g_process.cores.expect_no_more(child);
  return result;
}

int64_t make_thread(Thread& thread, uint64_t number, const Request& request, const Call& call) {
  Thread* child = g_process.threads.make();
  if (child == nullptr) return kOutOfMemory;
  child->context = child_context(thread.context, request);
  bool returns_after_child = (request.flags & kCloneVfork) != 0 && (request.flags & kCloneThread) == 0;
  child->parent_frees = returns_after_child;
  if (returns_after_child) g_process.cores.pace().leave(thread);  // it waits for the child
  bool is_thread = (request.flags & kCloneThread) != 0;
  is_thread ? g_process.collection.begin_thread(*child)
            : g_process.collection.inherit(*child, thread, request.stack != 0);
  child->stack_bytes = is_thread ? request.stack_bytes : 0;
  inherit_signals(*child, thread, request.flags);
  block_signals();
  SignalMask ends = returns_after_child ? let_kernel_end_process(thread) : 0;
  child->signals.ends_natively = ends;
  int64_t result = begin_child(thread, *child, number, call, is_thread);
  take_ends_back(thread, ends);
  unblock_signals(thread);
  if (result < 0) g_process.threads.free(child);
  if (result > 0 && returns_after_child) bury(*child);
  return result;
}

// Called in the forked child, which has only the thread that called fork.
void begin_forked_child(Thread& thread, uint32_t parent_pid, uint32_t parent_tid) {
  g_process.cores.keep_only(*thread.core, thread);
  g_process.bursts.begin_child(*thread.core);
  begin_counting_anew();
  g_process.locks_future = 0;
  g_process.defined.begin_child();
  thread.totals = nullptr;
  if (session() == nullptr) return;
  g_process.collection.forget_regions(thread);
  auto pid = static_cast<uint32_t>(system_call(kSysGetpid));
  g_process.recording.open_ring(pid);
  g_process.common.join_session(pid);
  g_process.cores.for_each([](Core& core) { core.model.machine.apply_invalidations(); });
  g_process.threads.begin(thread);
  thread.core->model.machine.run_for(thread.line_holder);
  // The time slice that was copied from the parent began with the parent's counters.
  thread.counters.change_periods(*session(), thread.core->counts_all);
  thread.time_slice.begin(thread.core->model, thread.counters);
  g_process.recording.write(fork_record({pid, pid, monotonic_ns()}, parent_pid, parent_tid));
  __atomic_fetch_sub(&session()->forks_under_way, 1, __ATOMIC_SEQ_CST);
}

int64_t fork_process(Thread& thread, uint64_t number, const Request& request, Call& call) {
  uint32_t parent_pid = thread.pid, parent_tid = thread.tid;
  if (session() != nullptr) __atomic_fetch_add(&session()->forks_under_way, 1, __ATOMIC_SEQ_CST);
  // The child uses its copy of the engine's stack, not a stack of the call.
  if (number == kClone) call.context.registers[kSi] = 0;
  if (number == kClone3) call.arguments.stack = call.arguments.stack_size = 0;
  block_signals_but_faults();  // the child would have to forget the other threads
  if (has_other_threads()) g_process.cores.lock_models();
  lock_all();
  block_signals();  // until the child knows which signals are its own
  check_before_fork(thread);
  int64_t result = hm_raw_system_call(&call.context, number, nullptr, &thread.signals.arrived);
  if (result == 0) forget_signals_of_parent(thread);
  block_signals_but_faults();
  result == 0 ? reset_all_locks() : unlock_all();
  g_process.cores.doubt_frames();
  if (result < 0 && session() != nullptr)
    __atomic_fetch_sub(&session()->forks_under_way, 1, __ATOMIC_SEQ_CST);
  if (result != 0) {
    block_signals();  // a fault that a process has sent may have arrived since
    unblock_signals(thread);
    return result;
  }
  thread.context = child_context(thread.context, request);
  begin_forked_child(thread, parent_pid, parent_tid);
  begin_signals_of_fork(thread, request.flags);
  block_signals();
  unblock_signals(thread);
  return 0;
}

}  // namespace

int64_t make_child(Thread& thread, uint64_t number) {
  Request request;
  Call call;
  if (int64_t error = understand(thread.context, number, request, call); error != 0) return error;
  bool shares_memory = (request.flags & kCloneVm) != 0;
  return shares_memory ? make_thread(thread, number, request, call)
                       : fork_process(thread, number, request, call);
}

void announce_thread(Thread& thread) {
  g_process.threads.begin(thread);
  uint32_t process = ring() == nullptr ? thread.pid : ring()->status().pid;
  g_process.recording.write(fork_record({process, thread.tid, monotonic_ns()}, process, process));
  uint64_t stack_end = thread.context.registers[kSp];
  Guard guard(g_process.copies.lock());
  g_process.mappings.note_thread_stack(process, thread.tid, stack_end - thread.stack_bytes, stack_end);
}

int64_t exit_thread(Thread& thread) {
  block_signals();
  if (signal_is_due(thread.signals)) {
    unblock_signals(thread);
    return kCallAgain;
  }
  g_process.threads.end(thread);
  g_process.recording.write(exit_record({thread.pid, thread.tid, monotonic_ns()}));
  if (!is_of_vfork(thread)) note_end();
  uint64_t status = thread.context.registers[kDi];
  g_process.cores.free_core_of(thread);
  thread.stack_in_use = 1;
  if (!thread.parent_frees) g_process.threads.free(&thread);
  check_signals_blocked();
  check_no_lock("a thread holds no lock when it ends");
  hm_exit_thread(status, &thread.stack_in_use);
}

bool is_of_vfork(const Thread& thread) { return ring() != nullptr && thread.pid != ring()->status().pid; }

void end_process(Thread& thread) {
  if (ring() == nullptr) return;
  if (!is_of_vfork(thread)) {
    bool others_stopped = g_process.cores.stop_other_threads(thread);
    g_process.threads.end(thread);
    // A thread that did not stop may still use the process slot. The slot is then reused only after the
    // process has ended.
    if (others_stopped) g_process.common.leave_session();
    return g_process.recording.close_ring();
  }
  g_process.threads.end(thread);
  g_process.recording.write(exit_record({thread.pid, thread.tid, monotonic_ns()}));
  // Nobody waits for such a child, to bury it.
  if (!thread.parent_frees && thread.core != nullptr) g_process.cores.free_core_of(thread);
}

// A signal that arrives from now on is lost, just as a signal that arrives after exit_group(2).
void exit_process(Thread& thread) {
  block_signals();
  end_process(thread);
  system_call(kExitGroup, static_cast<int64_t>(thread.context.registers[kDi]));
  __builtin_unreachable();
}

}  // namespace hm::soft::direct
