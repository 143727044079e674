// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/waiting_calls.h"

#include <linux/futex.h>

#include "pmu/soft/direct/emulate/clone_flags.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {
namespace {

bool only_wakes(uint64_t operation) {
  uint64_t command = operation & static_cast<uint64_t>(FUTEX_CMD_MASK);
  return command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET || command == FUTEX_WAKE_OP ||
         command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE;
}

}  // namespace

bool waits_for_nobody(const Context& context, uint64_t number) {
  switch (number) {
    case kMmap:
    case kMunmap:
    case kMprotect:
    case kMadvise:
    case kBrk:
    case kRtSigaction:
    case kRtSigprocmask:
    case kSigaltstack:
    case kSchedGetaffinity:
    case kSetRobustList:
    case kSysGettid:
    case kSysGetpid:
    case kPrctl:
    case kArchPrctl:
    case kRseq:
      return true;
    case kClone:
      return (context.registers[kDi] & kCloneThread) != 0;
    case kClone3:  // make_child() determines whether the parent waits
      return true;
    case kSysFutex:
      return only_wakes(context.registers[kSi]);
    default:
      return false;
  }
}

}  // namespace hm::soft::direct
