// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/defined_calls.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/emulate/defined_files.h"
#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

template <typename T>
int64_t give(uint64_t to, const T& value) {
  return write_program(to, value) ? 0 : kBadAddress;
}
// As give(), for an argument that may be null.
template <typename T>
int64_t give_if_wanted(uint64_t to, const T& value) {
  return to == 0 ? 0 : give(to, value);
}

struct SecondsAndPart {
  uint64_t seconds, part;
};

SecondsAndPart split(uint64_t ns, uint64_t ns_of_part) {
  return {ns / kNsPerSecond, ns % kNsPerSecond / ns_of_part};
}

int64_t give_random(uint64_t to, uint64_t bytes) {
  uint64_t done = 0;
  while (done < bytes) {
    uint64_t word = g_process.defined.random();
    uint64_t size = bytes - done < sizeof(word) ? bytes - done : sizeof(word);
    if (!write_program(to + done, &word, size)) return done != 0 ? static_cast<int64_t>(done) : kBadAddress;
    done += size;
  }
  return static_cast<int64_t>(bytes);
}

int64_t give_affinity(uint64_t bytes, uint64_t to) {
  constexpr int64_t kInvalid = -22;
  uint64_t first_cpu = 1;
  if (bytes < sizeof(first_cpu) || bytes % sizeof(first_cpu) != 0) return kInvalid;
  return write_program(to, first_cpu) ? static_cast<int64_t>(sizeof(first_cpu)) : kBadAddress;
}

int64_t give_cpu_times(const Thread& thread, uint64_t to) {
  constexpr uint64_t kNsPerTick = kNsPerSecond / 100;
  uint64_t ticks = defined_ns(*thread.core) / kNsPerTick;
  const uint64_t times[4] = {ticks, 0, 0, 0};
  int64_t given = give_if_wanted(to, times);
  return given != 0 ? given : static_cast<int64_t>(kUptimeSeconds * 100 + ticks);
}

int64_t give_resource_use(const Thread& thread, uint64_t who, uint64_t to) {
  constexpr uint64_t kChildren = ~uint64_t{0};  // RUSAGE_CHILDREN
  struct Use {                                  // struct rusage
    SecondsAndPart user, system;
    uint64_t max_kib, others[13];
  };
  Use use{};
  if (who != kChildren) use.user = split(defined_ns(*thread.core), kNsPerMicrosecond);
  use.max_kib = 64 << 10;
  return give(to, use);
}

// As in /proc/meminfo (defined_files.cc).
int64_t give_system_information(const Thread& thread, uint64_t to) {
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  struct Information {  // struct sysinfo
    uint64_t uptime, loads[3], total, free, shared, buffers, total_swap, free_swap;
    uint16_t processes, padding[3];
    uint64_t total_high, free_high;
    uint32_t unit, end;
  };
  static_assert(sizeof(Information) == 112);
  Information information{};
  information.uptime = kUptimeSeconds + defined_ns(*thread.core) / kNsPerSecond;
  information.total = 8 * kGiB;
  information.free = 6 * kGiB;
  information.processes = 1;
  information.unit = 1;
  return give(to, information);
}

// The kernel's names, with another host name.
int64_t give_names(uint64_t to) {
  constexpr char kHostName[] = "localhost";
  struct Names {  // struct utsname
    char system[65], host[65], release[65], version[65], machine[65], domain[65];
  };
  Names names{};
  if (int64_t error = system_call(kUname, pointer_argument(&names)); error < 0) return error;
  __builtin_memset(names.host, 0, sizeof(names.host));
  __builtin_memcpy(names.host, kHostName, sizeof(kHostName));
  return give(to, names);
}

}  // namespace

bool run_defined_call(Thread& thread, uint64_t number, int64_t& result) {
  const uint64_t* r = thread.context.registers;
  constexpr uint32_t kFirst = 0;
  constexpr uint64_t kGreenwich = 0;  // struct timezone
  switch (number) {
    case kSysClockGettime:
      result = give(r[kSi], split(defined_clock_ns(*thread.core, r[kDi]), 1));
      return true;
    case kGettimeofday:
      result = give_if_wanted(r[kDi], split(defined_clock_ns(*thread.core, kRealtime), kNsPerMicrosecond));
      if (result == 0) result = give_if_wanted(r[kSi], kGreenwich);
      return true;
    case kUname:
      result = give_names(r[kDi]);
      return true;
    case kTime: {
      uint64_t seconds = defined_clock_ns(*thread.core, kRealtime) / kNsPerSecond;
      result = give_if_wanted(r[kDi], seconds);
      if (result == 0) result = static_cast<int64_t>(seconds);
      return true;
    }
    case kTimes:
      result = give_cpu_times(thread, r[kDi]);
      return true;
    case kGetrusage:
      result = give_resource_use(thread, r[kDi], r[kSi]);
      return true;
    case kSysinfo:
      result = give_system_information(thread, r[kDi]);
      return true;
    case kGetcpu:
      result = give_if_wanted(r[kDi], kFirst);
      if (result == 0) result = give_if_wanted(r[kSi], kFirst);
      return true;
    case kSchedGetaffinity:
      result = give_affinity(r[kSi], r[kDx]);
      return true;
    case kGetrandom:
      result = give_random(r[kDi], r[kSi]);
      return true;
    case kOpen:
      return open_defined_file(r[kDi], r[kSi], result);
    case kOpenat:
      return open_defined_file(r[kSi], r[kDx], result);
    default:
      return false;
  }
}

}  // namespace hm::soft::direct
