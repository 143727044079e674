// SPDX-License-Identifier: MIT
// System calls are the target's own; a few say something about its code, its threads or its end.
#include "pmu/soft/direct/address_space.h"
#include "pmu/soft/direct/cores.h"
#include "pmu/soft/direct/descriptors.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/invalidation.h"
#include "pmu/soft/direct/processes.h"
#include "pmu/soft/direct/programs.h"
#include "pmu/soft/direct/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kWritable = 2, kExecutable = 4;  // PROT_WRITE, PROT_EXEC
constexpr uint64_t kPageMask = 4095;
constexpr uint64_t kSetName = 15;     // PR_SET_NAME
constexpr int64_t kNoSuchCall = -38;  // ENOSYS
constexpr int64_t kNotPermitted = -1;

uint64_t page_end(uint64_t start, uint64_t bytes) { return (start + bytes + kPageMask) & ~kPageMask; }

bool failed(int64_t result) { return result < 0 && result >= -4095; }

void mapping_changed(const Thread& thread, uint64_t start, uint64_t bytes, uint64_t protection) {
  bool executable = (protection & kExecutable) != 0;
  {
    Guard guard(g_translation);
    forget_code(start, page_end(start, bytes));
    set_executable(start, page_end(start, bytes), executable, (protection & kWritable) != 0);
  }
  if (executable) record_new_mapping(thread.pid, start, bytes);
}

// What a call that has been done means for the engine.
void follow(Thread& thread, uint64_t number, int64_t result) {
  if (failed(result)) return;
  Context& context = thread.context;
  uint64_t first = context.registers[kDi], second = context.registers[kSi], third = context.registers[kDx];
  switch (number) {
    case kMmap:
      return mapping_changed(thread, static_cast<uint64_t>(result), second, third);
    case kMprotect:
      return mapping_changed(thread, first, second, third);
    case kMunmap:
      return mapping_changed(thread, first, second, 0);
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
  step_aside(core);
  uint64_t number = thread.context.registers[kAx];
  __atomic_store_n(&thread.signals.arrived, 0u, __ATOMIC_SEQ_CST);
  int64_t result = signal_is_due(thread) ? kCallAgain : run_system_call(thread, number);
  if (result == kCallAgain) {
    thread.context.ip -= kInstructionBytes;
    return step_back(thread);
  }
  follow(thread, number, result);
  thread.context.registers[kAx] = static_cast<uint64_t>(result);
  thread.context.registers[kCx] = thread.context.ip;
  thread.context.registers[kR11] = thread.context.flags;
  return step_back(thread);
}

}  // namespace hm::soft::direct
