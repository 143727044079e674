// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/defined_machine.h"

#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kEpochSeconds = 1'704'067'200;  // 2024-01-01, UTC

bool is_date_clock(uint64_t clock) {
  return clock == kRealtime || clock == kRealtimeCoarse || clock == kRealtimeAlarm || clock == kTai;
}
// CPU time of the process, of the thread, or of another process or thread.
bool is_cpu_time_clock(uint64_t clock) {
  constexpr uint64_t kOfProcess = 2, kOfThread = 3;
  return clock == kOfProcess || clock == kOfThread || static_cast<int32_t>(clock) < 0;
}

}  // namespace

bool is_machine_defined() { return session() != nullptr && session()->defined.on != 0; }

const DefinedMachine& defined_machine() { return session()->defined; }

uint64_t defined_ns(const Core& core) {
  return g_process.defined.time_ns((core.tick - core.kernel_ticks) / 2);
}

uint64_t defined_clock_ns(const Core& core, uint64_t clock) {
  uint64_t since = is_date_clock(clock) ? kEpochSeconds : is_cpu_time_clock(clock) ? 0 : kUptimeSeconds;
  return since * kNsPerSecond + defined_ns(core);
}

}  // namespace hm::soft::direct
