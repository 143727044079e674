// SPDX-License-Identifier: MIT
// The time of a run on the modelled machine, in cycles, shared by its processes. A thread that waited
// continues at the latest time of the others. So samples preserve the order of sequential work, and two runs
// of one program have the same times. Freestanding.
//
// Each core has its own time (ModelledCore::run_cycles_at). Processes that run in parallel join their times
// only when they wait, so one may be ahead of another in between.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// False if the session has bursts, because the time between bursts is not modelled, or if it began in the
// midst of a run, because earlier waits are unknown. The clock is more accurate then.
inline bool has_run_time(const Session& session) {
  return session.bursts.slots == 0 && session.began_in_midst == 0;
}

inline uint64_t latest_run_cycles(const Session& session) {
  return __atomic_load_n(&session.run_cycles, __ATOMIC_RELAXED);
}

// Advances the session's time to a core's time.
inline void report_run_cycles(Session& session, uint64_t cycles) {
  uint64_t latest = latest_run_cycles(session);
  while (latest < cycles && !__atomic_compare_exchange_n(&session.run_cycles, &latest, cycles, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace hm::soft
