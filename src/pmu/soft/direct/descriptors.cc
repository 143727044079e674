// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/descriptors.h"

#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kNoSuchDescriptor = -9;  // EBADF
constexpr uint32_t kOwn = 8;               // as many as the engine may have

struct Limit {
  uint64_t soft, hard;
};

Limit exchange_limit(const Limit* wanted) {
  constexpr int64_t kSysPrlimit = 302, kDescriptors = 7;  // RLIMIT_NOFILE
  Limit before{};
  system_call(kSysPrlimit, 0, kDescriptors, pointer_argument(wanted), pointer_argument(&before));
  return before;
}

// What the kernel does with all descriptors of a range, done with all but our own.
int64_t close_range_but_own(uint32_t first, uint32_t last, int64_t flags) {
  constexpr int64_t kMarkOnly = 4;  // CLOSE_RANGE_CLOEXEC: ours are so marked
  constexpr auto kCloseRangeCall = static_cast<int64_t>(kCloseRange);
  if (first > last || (flags & kMarkOnly) != 0) return system_call(kCloseRangeCall, first, last, flags);
  while (true) {
    uint32_t own = first_own_descriptor(first);
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

int hide_descriptor(int fd) {
  constexpr int64_t kDuplicateCloseOnExec = 1030;  // F_DUPFD_CLOEXEC
  constexpr uint64_t kHighest = 8192;              // a fork copies the table up to there
  Limit limit = exchange_limit(nullptr);
  bool room_above = limit.soft <= kHighest && limit.hard >= limit.soft + kOwn;
  Limit raised{limit.soft + kOwn, limit.hard};
  uint64_t from = room_above               ? limit.soft
                  : limit.soft <= kHighest ? limit.soft - (limit.soft > kOwn ? kOwn : limit.soft)
                                           : kHighest;
  if (room_above) exchange_limit(&raised);
  int64_t high = system_call(kSysFcntl, fd, kDuplicateCloseOnExec, static_cast<int64_t>(from));
  if (room_above) exchange_limit(&limit);
  if (high < 0) return fd;
  system_call(kSysClose, fd);
  return static_cast<int>(high);
}

int64_t change_descriptors(const Thread& thread, uint64_t number) {
  const uint64_t* r = thread.context.registers;
  auto first = static_cast<uint32_t>(r[kDi]);
  auto second = static_cast<uint32_t>(r[kSi]);
  if (number == kCloseRange) return close_range_but_own(first, second, static_cast<int64_t>(r[kDx]));
  uint32_t changed = number == kClose ? first : second;
  if (first_own_descriptor(changed) == changed) return kNoSuchDescriptor;
  return hm_raw_system_call(&thread.context, number, nullptr, &thread.signals.arrived);
}

}  // namespace hm::soft::direct
