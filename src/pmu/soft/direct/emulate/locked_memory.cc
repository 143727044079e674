// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/locked_memory.h"

#include <linux/mman.h>

#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kInvalid = -22, kOutOfMemory = -12, kNotPermitted = -1;
constexpr uint64_t kOnFaultOnly = 1;  // MLOCK_ONFAULT

int64_t lock_range(uint64_t start, uint64_t bytes, uint64_t on_fault) {
  return system_call(kMlock2, static_cast<int64_t>(start), static_cast<int64_t>(bytes),
                     static_cast<int64_t>(on_fault != 0 ? kOnFaultOnly : 0));
}

struct Locking {
  uint64_t on_fault;
  bool is_refused;
};

// Locks a mapping. Inaccessible memory is locked, but the call fails for it, as it does beyond the limit.
void lock_mapped(const MappedRange& range, void* argument) {
  auto& locking = *static_cast<Locking*>(argument);
  bool vsyscall = range.start >> 63 != 0;
  if (vsyscall || is_engine(range) || is_own_mapping(range.start)) return;
  int64_t result = lock_range(range.start, range.end - range.start, locking.on_fault);
  bool accessible = (range.protection & (kReadable | kWritable | kExecutable)) != 0;
  if (accessible && result == kOutOfMemory) locking.is_refused = true;
}

// Follows can_do_mlock() of the kernel: locking zero bytes fails without the right to lock memory.
bool may_lock() { return lock_range(0, 0, 0) != kNotPermitted; }

// Returns true if the process has CAP_IPC_LOCK.
bool may_exceed_limit() {
  constexpr uint32_t kVersion = 0x20080522, kLockBit = 1u << 14;  // of capget(2)
  struct {
    uint32_t version, process;
  } head{kVersion, 0};
  struct {
    uint32_t effective, permitted, inheritable;
  } sets[2] = {};
  system_call(kCapget, pointer_argument(&head), pointer_argument(sets));
  return (sets[0].effective & kLockBit) != 0;
}

uint64_t lock_limit() {
  constexpr int64_t kLockedMemory = 8;  // RLIMIT_MEMLOCK
  uint64_t limit[2] = {};
  system_call(kPrlimit, 0, kLockedMemory, 0, pointer_argument(limit));
  return limit[0];
}

}  // namespace

int64_t lock_all_memory(const Thread& thread) {
  uint64_t flags = thread.context.registers[kDi];
  bool now = (flags & MCL_CURRENT) != 0, future = (flags & MCL_FUTURE) != 0;
  if ((flags & ~uint64_t{MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT}) != 0 || !(now || future)) return kInvalid;
  if (!may_lock()) return kNotPermitted;
  if (now) {
    bool is_above = address_space_in_use() > lock_limit();
    if (is_above && !may_exceed_limit()) return kOutOfMemory;
    Locking locking{flags & MCL_ONFAULT, false};
    {
      Guard guard(g_process.copies.lock());  // protects the buffer that mappings are read into
      g_process.maps.for_each(lock_mapped, &locking);
    }
    if (is_above && locking.is_refused) {  // the capability is valid only in a user namespace
      system_call(kMunlockall);
      return kOutOfMemory;
    }
  }
  uint32_t kept = future ? static_cast<uint32_t>(flags) : 0;
  __atomic_store_n(&g_process.locks_future, kept, __ATOMIC_RELAXED);
  return 0;
}

int64_t unlock_all_memory() {
  __atomic_store_n(&g_process.locks_future, 0u, __ATOMIC_RELAXED);
  return system_call(kMunlockall);
}

bool locks_future_memory() { return __atomic_load_n(&g_process.locks_future, __ATOMIC_RELAXED) != 0; }

int64_t map_locked(const Thread& thread, uint64_t number) {
  uint64_t on_fault = __atomic_load_n(&g_process.locks_future, __ATOMIC_RELAXED) & MCL_ONFAULT;
  Context call = thread.context;
  const auto call_kernel = [&] {
    return hm_raw_system_call(&call, number, nullptr, &thread.signals.arrived);
  };
  if (number == kMmap && on_fault == 0) {
    call.registers[kR10] |= MAP_LOCKED;
    return call_kernel();
  }
  auto end = static_cast<uint64_t>(system_call(kBrk, 0));
  int64_t result = call_kernel();
  if (failed(result)) return result;
  auto mapped = static_cast<uint64_t>(result);
  if (number == kMmap) {
    lock_range(mapped, call.registers[kSi], on_fault);
    return result;
  }
  if (mapped <= end || lock_range(end, mapped - end, on_fault) != kOutOfMemory) return result;
  return system_call(kBrk, static_cast<int64_t>(end));
}

}  // namespace hm::soft::direct
