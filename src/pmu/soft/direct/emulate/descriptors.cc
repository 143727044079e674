// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/descriptors.h"

#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kNoSuchDescriptor = -9;  // EBADF

// close_range(2) for all descriptors of a range but the engine's.
int64_t close_range_but_own(uint32_t first, uint32_t last, int64_t flags) {
  constexpr int64_t kMarkOnly = 4;  // CLOSE_RANGE_CLOEXEC: ours are so marked
  constexpr auto kCloseRangeCall = static_cast<int64_t>(kCloseRange);
  if (first > last || (flags & kMarkOnly) != 0) return system_call(kCloseRangeCall, first, last, flags);
  while (true) {
    uint32_t own = g_process.recording.first_own_descriptor(first);
    if (own > last) return system_call(kCloseRangeCall, first, last, flags);
    if (own > first) {
      int64_t result = system_call(kCloseRangeCall, first, own - 1, flags);
      if (result < 0) return result;
    }
    if (own == last) return 0;
    first = own + 1;
  }
}

}  // namespace

int64_t change_descriptors(const Thread& thread, uint64_t number) {
  const uint64_t* r = thread.context.registers;
  auto first = static_cast<uint32_t>(r[kDi]);
  auto second = static_cast<uint32_t>(r[kSi]);
  if (number == kCloseRange) return close_range_but_own(first, second, static_cast<int64_t>(r[kDx]));
  uint32_t changed = number == kClose ? first : second;
  if (g_process.recording.first_own_descriptor(changed) == changed) return kNoSuchDescriptor;
  return hm_raw_system_call(&thread.context, number, nullptr, &thread.signals.arrived);
}

}  // namespace hm::soft::direct
