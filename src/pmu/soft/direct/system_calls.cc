// SPDX-License-Identifier: MIT
// System calls are the target's own; a few say something about its code, its threads or its end.
#include <linux/mman.h>

#include "pmu/soft/direct/address_space.h"
#include "pmu/soft/direct/collection.h"
#include "pmu/soft/direct/common_models.h"
#include "pmu/soft/direct/cores.h"
#include "pmu/soft/direct/descriptors.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/invalidation.h"
#include "pmu/soft/direct/mappings.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/processes.h"
#include "pmu/soft/direct/programs.h"
#include "pmu/soft/direct/signal_actions.h"
#include "pmu/soft/direct/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPageMask = 4095;
constexpr uint64_t kSetName = 15;     // PR_SET_NAME
constexpr int64_t kNoSuchCall = -38;  // ENOSYS
constexpr int64_t kNotPermitted = -1;

uint64_t page_end(uint64_t start, uint64_t bytes) { return (start + bytes + kPageMask) & ~kPageMask; }

// [start, end) holds other code from now on, or none; a file's, or what the program has made by itself.
void change_code(uint64_t start, uint64_t end, uint64_t protection, bool of_file) {
  bool executable = (protection & kExecutable) != 0;
  forget_code(start, end);
  set_executable(start, end, executable, (protection & kWritable) != 0);
  forget_entries(start, end);
  if (executable && of_file) find_entries(start, end);
}

void follow_mmap(const Thread& thread, uint64_t start) {
  const uint64_t* r = thread.context.registers;
  uint64_t end = page_end(start, r[kSi]), protection = r[kDx];
  Guard guard(g_translation);
  change_code(start, end, protection, (r[kR10] & MAP_ANONYMOUS) == 0);
  note_mapped(thread.pid, {start, end, protection, r[kR10], static_cast<int>(r[kR8]), r[kR9]});
}

void follow_munmap(uint64_t start, uint64_t bytes) {
  uint64_t end = page_end(start, bytes);
  Guard guard(g_translation);
  change_code(start, end, 0, false);
  note_unmapped(start, end);
}

void follow_mprotect(const Thread& thread, uint64_t start, uint64_t bytes, uint64_t protection) {
  uint64_t end = page_end(start, bytes);
  Guard guard(g_translation);
  change_code(start, end, protection, !is_nameless(start, end));
  if ((protection & kExecutable) != 0) note_executable(thread.pid, start, end, protection);
  if ((protection & kWritable) != 0 && !is_nameless(start, end) && !is_common(start)) note_common(start, end);
}

// One mapping, which keeps its protection, and of which nothing else is known where it is now.
void follow_mremap(const Thread& thread, uint64_t start) {
  const uint64_t* r = thread.context.registers;
  uint64_t old_start = r[kDi], old_end = page_end(old_start, r[kSi]), end = page_end(start, r[kDx]);
  Guard guard(g_translation);
  bool executable = executable_end(old_start) != 0;
  bool was_common = is_common(old_start);
  bool writable = is_writable_code(old_start) || is_watched(old_start);
  uint64_t protection =
      executable ? static_cast<uint64_t>(kReadable | kExecutable | (writable ? kWritable : 0)) : 0;
  change_code(old_start, old_end, 0, false);
  note_unmapped(old_start, old_end);
  change_code(start, end, protection, true);
  note_unmapped(start, end);
  if (was_common) note_common(start, end);
  if (executable)
    note_executable(thread.pid, start, end, protection);
  else
    note_memory(thread.pid, start, end, kReadable | kWritable);
}

// Of System V: how long it is, nobody says.
void follow_shmat(const Thread& thread, uint64_t start) {
  Guard guard(g_translation);
  record_mappings(thread.pid, start, start + 1);
  note_common(start, start + 1);
}

void follow_shmdt(uint64_t start) {
  Guard guard(g_translation);
  note_detached(start);
}

void follow_break(const Thread& thread, uint64_t end) {
  Guard guard(g_translation);
  note_break(thread.pid, end);
}

// What a call that has been done means for the engine.
void follow(Thread& thread, uint64_t number, int64_t result) {
  if (failed(result)) return;
  Context& context = thread.context;
  uint64_t first = context.registers[kDi], second = context.registers[kSi], third = context.registers[kDx];
  switch (number) {
    case kMmap:
      return follow_mmap(thread, static_cast<uint64_t>(result));
    case kMunmap:
      return follow_munmap(first, second);
    case kMprotect:
      return follow_mprotect(thread, first, second, third);
    case kMremap:
      return follow_mremap(thread, static_cast<uint64_t>(result));
    case kShmat:
      return follow_shmat(thread, static_cast<uint64_t>(result));
    case kShmdt:
      return follow_shmdt(first);
    case kBrk:
      return follow_break(thread, static_cast<uint64_t>(result));
    case kArchPrctl:
      if (first == kSetFs) context.fs_base = second;
      return;
    case kPrctl:
      if (first == kSetName)
        write_record(comm_record({thread.pid, thread.tid, monotonic_ns()},
                                 reinterpret_cast<const char*>(second), false));
      return;
    default:
      return;
  }
}

// The result; the core is given up meanwhile, and may be another's afterwards.
int64_t run_system_call(Thread& thread, uint64_t number) {
  const Context& context = thread.context;
  switch (number) {
    case kRseq:
      return kNoSuchCall;  // the kernel would look for the target's instruction pointer
    case kArchPrctl:
      if (context.registers[kDi] == kSetGs) return kNotPermitted;
      break;
    case kClone:
    case kClone3:
    case kFork:
    case kVfork:
      return make_child(thread, number);
    case kExit:
      exit_thread(thread);
    case kExitGroup:
      end_process(thread);
      break;
    case kRtSigaction:
      return set_signal_action(thread);
    case kRtSigprocmask:
      return set_signal_mask(thread);
    case kSigaltstack:
      return set_signal_stack(thread);
    case kExecve:
    case kExecveat:
      return replace_program(thread, number);
    case kClose:
    case kCloseRange:
    case kDup2:
    case kDup3:
      return change_descriptors(thread, number);
    default:
      break;
  }
  return hm_raw_system_call(&context, number, nullptr, &thread.signals.arrived);
}

}  // namespace

Core& do_system_call(Core& core) {
  constexpr uint64_t kInstructionBytes = 2;
  Thread& thread = *core.thread;
  release_core(core);
  uint64_t number = thread.context.registers[kAx];
  __atomic_store_n(&thread.signals.arrived, 0u, __ATOMIC_SEQ_CST);
  int64_t result = signal_is_due(thread) ? kCallAgain : run_system_call(thread, number);
  if (result == kCallAgain) {
    thread.context.ip -= kInstructionBytes;
    return reacquire_core(thread);
  }
  follow(thread, number, result);
  thread.context.registers[kAx] = static_cast<uint64_t>(result);
  thread.context.registers[kCx] = thread.context.ip;
  thread.context.registers[kR11] = thread.context.flags;
  Core& now = reacquire_core(thread);
  if (number == kPrctl) obey_region(now);
  return now;
}

}  // namespace hm::soft::direct
