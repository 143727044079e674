// SPDX-License-Identifier: MIT
// The engine's own use of SIGSTKFLT. A thread that waits for a core sends this signal to a thread that has
// run on its core for a long time. The receiver then releases its core. The kernel never sends this signal,
// but programs may: the engine's signal carries a value that theirs do not have. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {

inline constexpr int32_t kSentByUser = 0, kSentWithValue = -1;  // SI_USER, SI_QUEUE
inline constexpr uint64_t kPreemptValue = 0x6d68'7470'6d65'6572;

inline void send_preempt_request(uint32_t process, uint32_t thread) {
  SignalInfo request{kPreempt, 0, kSentWithValue, 0, process, {}};
  __builtin_memcpy(request.rest, &kPreemptValue, sizeof(kPreemptValue));
  system_call(kRtTgsigqueueinfo, process, thread, kPreempt, pointer_argument(&request));
}

// If the signal queue is full (RLIMIT_SIGPENDING), the kernel delivers neither the value nor the sender.
inline bool is_preempt_request(const SignalInfo& info) {
  if (info.number != kPreempt) return false;
  uint64_t value = 0;
  __builtin_memcpy(&value, info.rest, sizeof(value));
  bool is_without_sender = info.code == kSentByUser && info.address == 0;
  return is_without_sender || (info.code == kSentWithValue && value == kPreemptValue);
}

}  // namespace hm::soft::direct
