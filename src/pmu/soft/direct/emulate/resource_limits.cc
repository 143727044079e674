// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/resource_limits.h"

#include <linux/mman.h>

#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/ring/limit_reserve.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {
namespace {

constexpr int64_t kBadAddress = -14, kOutOfMemory = -12;  // EFAULT, ENOMEM
constexpr uint64_t kPageMask = 4095;

uint64_t whole_pages(uint64_t bytes) { return (bytes + kPageMask) & ~kPageMask; }

int64_t exchange(int64_t process, uint64_t resource, const ResourceLimit* wanted, ResourceLimit* before) {
  return system_call(kPrlimit, process, static_cast<int64_t>(resource), pointer_argument(wanted),
                     pointer_argument(before));
}

// Returns the kernel's limit for the calling process.
ResourceLimit kernel_limit(uint32_t resource) {
  ResourceLimit now{kNoLimit, kNoLimit};
  exchange(0, resource, nullptr, &now);
  return now;
}

// Returns true if the engine is in the process. The process's limits then include a reserve.
bool has_engine(uint64_t process) {
  if (process == 0 || process == static_cast<uint64_t>(system_call(kSysGetpid))) return true;
  struct {
    uint64_t address, bytes;
  } to{}, from{kEngineBase, sizeof(uint64_t)};
  uint64_t word;
  to = {reinterpret_cast<uint64_t>(&word), sizeof(word)};
  return system_call(kProcessVmReadv, static_cast<int64_t>(process), pointer_argument(&to), 1,
                     pointer_argument(&from), 1, 0) == static_cast<int64_t>(sizeof(word));
}

// Raises the hard limit by one byte. Returns false if the process may not do that (CAP_SYS_RESOURCE).
bool may_raise(uint32_t resource, ResourceLimit now) {
  ResourceLimit raised{now.soft, now.hard + 1};
  return exchange(0, resource, &raised, nullptr) == 0;
}

void note_limits() {
  for (uint32_t resource : kReservedLimits) {
    if (kernel_limit(resource).soft != kNoLimit)
      __atomic_store_n(&g_process.has_memory_limits, 1u, __ATOMIC_RELAXED);
  }
}

// Amount of the target's memory, as the kernel counts it.
struct Usage {
  uint64_t address_space = 0;
  uint64_t data = 0;  // private and writable memory
  // Memory in [start, end):
  uint64_t start, end;
  uint64_t mapped_there = 0;
  bool data_there = false;
};

bool is_data(const MappedRange& range) {
  constexpr char kStack[] = "[stack]";
  return (range.protection & kWritable) != 0 && !range.shared &&
         __builtin_memcmp(range.path, kStack, sizeof(kStack) - 1) != 0;
}

void count_range(const MappedRange& range, void* argument) {
  auto& usage = *static_cast<Usage*>(argument);
  bool vsyscall = range.start >> 63 != 0;
  if (vsyscall || is_engine(range) || is_own_mapping(range.start)) return;
  uint64_t bytes = range.end - range.start;
  usage.address_space += bytes;
  if (is_data(range)) usage.data += bytes;
  uint64_t from = range.start > usage.start ? range.start : usage.start;
  uint64_t to = range.end < usage.end ? range.end : usage.end;
  if (from >= to) return;
  usage.mapped_there += to - from;
  usage.data_there = usage.data_there || is_data(range);
}

Usage usage_of(uint64_t start, uint64_t end) {
  Usage usage{.start = start, .end = end};
  Guard guard(g_process.copies.lock());  // protects the buffer that mappings are read into
  g_process.maps.for_each(count_range, &usage);
  return usage;
}

// Follows may_expand_vm() in the kernel's mm/mmap.c.
bool exceeds(const Usage& usage, uint64_t bytes, bool of_data) {
  ResourceLimit space = without_reserve(kernel_limit(kAddressSpaceLimit));
  ResourceLimit data = without_reserve(kernel_limit(kDataLimit));
  const auto is_above = [](uint64_t sum, uint64_t limit) {
    return limit != kNoLimit && sum > (limit & ~kPageMask);
  };
  if (is_above(usage.address_space + bytes, space.soft)) return true;
  // With a soft limit of 0, the hard limit applies.
  uint64_t of_data_limit = data.soft == 0 ? data.hard : data.soft;
  return of_data && is_above(usage.data + bytes, of_data_limit);
}

bool mmap_exceeds(const uint64_t* r) {
  uint64_t bytes = whole_pages(r[kSi]);
  bool fixed = (r[kR10] & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == MAP_FIXED;
  bool of_data = (r[kDx] & kWritable) != 0 && (r[kR10] & (MAP_SHARED | MAP_GROWSDOWN)) == 0;
  Usage usage = fixed ? usage_of(r[kDi], r[kDi] + bytes) : usage_of(0, 0);
  uint64_t more = bytes > usage.mapped_there ? bytes - usage.mapped_there : 0;
  return exceeds(usage, more, of_data);
}

bool mremap_exceeds(const uint64_t* r) {
  uint64_t before = whole_pages(r[kSi]), after = whole_pages(r[kDx]);
  if (after <= before) return false;
  Usage usage = usage_of(r[kDi], r[kDi] + 1);
  return usage.mapped_there != 0 && exceeds(usage, after - before, usage.data_there);
}

}  // namespace

bool has_limit_of(uint32_t resource, uint64_t least) { return kernel_limit(resource).soft >= least; }

void learn_memory_limits() {
  g_process.has_memory_limits = 0;
  note_limits();
}

int64_t use_limits(const Thread& thread, uint64_t number) {
  const uint64_t* r = thread.context.registers;
  bool is_prlimit = number == kPrlimit;
  uint64_t resource = is_prlimit ? r[kSi] : r[kDi];
  uint64_t process = is_prlimit ? static_cast<uint32_t>(r[kDi]) : 0;
  uint64_t wanted_at = is_prlimit ? r[kDx] : number == kSetrlimit ? r[kSi] : 0;
  uint64_t before_at = is_prlimit ? r[kR10] : number == kGetrlimit ? r[kSi] : 0;
  if (!is_reserved_limit(static_cast<uint32_t>(resource)) || !has_engine(process) ||
      (!is_prlimit && r[kSi] == 0))
    return hm_raw_system_call(&thread.context, number, nullptr, &thread.signals.arrived);
  ResourceLimit wanted{};
  if (wanted_at != 0 && read_memory(wanted_at, &wanted, sizeof(wanted)) != sizeof(wanted)) return kBadAddress;
  wanted = with_reserve(wanted);
  auto* before = reinterpret_cast<ResourceLimit*>(before_at);  // written by the kernel if it is valid
  int64_t result =
      exchange(static_cast<int64_t>(process), resource, wanted_at == 0 ? nullptr : &wanted, before);
  if (result == 0 && before != nullptr) *before = without_reserve(*before);
  if (result == 0 && wanted_at != 0) note_limits();
  return result;
}

bool exceeds_memory_limits(const Thread& thread, uint64_t number, int64_t& result) {
  if (__atomic_load_n(&g_process.has_memory_limits, __ATOMIC_RELAXED) == 0) return false;
  const uint64_t* r = thread.context.registers;
  result = kOutOfMemory;
  if (number == kMmap) return mmap_exceeds(r);
  if (number == kMremap) return mremap_exceeds(r);
  auto now = static_cast<uint64_t>(system_call(kBrk, 0));
  uint64_t from = whole_pages(now), to = whole_pages(r[kDi]);
  result = static_cast<int64_t>(now);
  return to > from && exceeds(usage_of(0, 0), to - from, true);
}

uint64_t address_space_in_use() { return usage_of(0, 0).address_space; }

void begin_native_program() {
  for (uint32_t resource : kReservedLimits) {
    ResourceLimit now = kernel_limit(resource);
    ResourceLimit native = without_reserve(now);
    if (native.hard != now.hard && !may_raise(resource, now)) native.hard = now.hard;
    if (native.soft != now.soft || native.hard != now.hard) exchange(0, resource, &native, nullptr);
  }
}

void resume_after_native_program() {
  for (uint32_t resource : kReservedLimits) {
    ResourceLimit now = kernel_limit(resource);
    ResourceLimit raised = with_reserve(now);
    if (raised.soft != now.soft || raised.hard != now.hard) exchange(0, resource, &raised, nullptr);
  }
}

}  // namespace hm::soft::direct
