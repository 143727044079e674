// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/sandbox_calls.h"

#include "pmu/soft/direct/emulate/descriptors.h"
#include "pmu/soft/direct/emulate/own_memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

// See include/uapi/linux/seccomp.h. A filter with a null address is a probe for the feature, and fails.
bool installs_filter(uint64_t operation, uint64_t filter) {
  constexpr uint64_t kStrict = 0, kFilter = 1;
  return operation == kStrict || (operation == kFilter && filter != 0);
}

LeaveReason reason_of_prctl(const uint64_t* r) {
  constexpr uint64_t kSetSeccomp = 22, kSetUserDispatch = 59, kOn = 1;
  constexpr uint64_t kSetTimeStamp = 26, kFaults = 2;  // PR_SET_TSC, PR_TSC_SIGSEGV
  constexpr uint64_t kModes = 1;  // SECCOMP_MODE_STRICT is 1, while SECCOMP_SET_MODE_STRICT is 0
  if (r[kDi] == kSetSeccomp && installs_filter(r[kSi] - kModes, r[kDx])) return LeaveReason::kSandbox;
  if (r[kDi] == kSetUserDispatch && r[kSi] == kOn) return LeaveReason::kUserDispatch;
  if (r[kDi] == kSetTimeStamp && static_cast<uint32_t>(r[kSi]) == kFaults) return LeaveReason::kNoTimeStamp;
  return LeaveReason::kNone;
}

}  // namespace

LeaveReason reason_to_leave_before(const Context& context) {
  const uint64_t* r = context.registers;
  uint64_t number = call_number(r[kAx]);
  constexpr uint64_t kTraceMe = 0;
  LeaveReason reason = LeaveReason::kNone;
  if (number == kPtrace && r[kDi] == kTraceMe) reason = LeaveReason::kTraced;
  if (number == kSeccomp && installs_filter(r[kDi], r[kDx])) reason = LeaveReason::kSandbox;
  if (number == kPrctl) reason = reason_of_prctl(r);
  if (number == kArchPrctl && r[kDi] == kSetGs) reason = LeaveReason::kGsBase;
  if (replaces_own_descriptor(context, number)) reason = LeaveReason::kDescriptors;
  if (replaces_own_memory(context, number)) reason = LeaveReason::kAddresses;
  return reason;
}

}  // namespace hm::soft::direct
