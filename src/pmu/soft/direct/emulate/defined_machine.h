// SPDX-License-Identifier: MIT
// Reproducible runs: programs see the session's processor, random numbers and time instead of those of the
// machine that they run on (ring/defined_machine.h).
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/ring/defined_machine.h"

namespace hm::soft::direct {

// Returns true if the run is reproducible. Only then the other functions may be called.
bool is_machine_defined();
const DefinedMachine& defined_machine();

inline constexpr uint64_t kNsPerSecond = 1'000'000'000, kNsPerMicrosecond = 1000;

// Returns the time since the process began (process/defined_state.h).
uint64_t defined_ns(const Core& core);

// Clocks of clock_gettime(2).
enum Clock : uint64_t {
  kRealtime = 0,
  kMonotonic = 1,
  kRealtimeCoarse = 5,
  kRealtimeAlarm = 8,
  kTai = 11,
};
// The machine started this long before the process began.
inline constexpr uint64_t kUptimeSeconds = 100'000;

// Returns the time of one of these or of another clock.
uint64_t defined_clock_ns(const Core& core, uint64_t clock);

}  // namespace hm::soft::direct
