// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/give_up.h"

#include <stddef.h>

#include "pmu/soft/direct/runtime/runtime.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {

void do_without(LeaveReason reason, const char* sentence) {
  if (runtime().leave != nullptr) runtime().leave(reason);
  give_up(sentence);
}

void give_up(const char* sentence, uint64_t number) {
  char text[320];
  size_t length = 0;
  for (; sentence[length] != '\0' && length < sizeof(text) - 40; ++length) text[length] = sentence[length];
  text[length++] = ' ';
  for (int shift = 60; shift >= 0; shift -= 4) text[length++] = "0123456789abcdef"[(number >> shift) & 15];
  text[length++] = '\n';
  text[length] = '\0';
  give_up(text);
}

void give_up(const char* sentence) {
  constexpr int64_t kStandardError = 2, kStatus = 127;
  if (uint32_t* count = runtime().given_up) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  size_t length = 0;
  while (sentence[length] != '\0') ++length;
  system_call(kWrite, kStandardError, pointer_argument(sentence), static_cast<int64_t>(length));
  system_call(kExitGroup, kStatus);
  __builtin_unreachable();
}

}  // namespace hm::soft::direct
