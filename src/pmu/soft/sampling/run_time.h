// SPDX-License-Identifier: MIT
// The time of a run on the modelled machine, in cycles, which processes share: a thread that waited goes on
// when others have come to this time. So what ran one after the other is so in samples, too, and two runs of
// one program have the same times. Freestanding.
//
// Each core has its own time (ModelledCore::run_cycles_at). Between processes that run at the same time it is
// only joined where they wait, so that one may be ahead of another meanwhile.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Between bursts nothing is modelled, and processes that ran before have waited for what is not seen: there
// the clock tells more.
inline bool has_run_time(const Session& session) {
  return session.bursts.slots == 0 && session.began_in_midst == 0;
}

inline uint64_t latest_run_cycles(const Session& session) {
  return __atomic_load_n(&session.run_cycles, __ATOMIC_RELAXED);
}

// A core has come to this time.
inline void tell_run_cycles(Session& session, uint64_t cycles) {
  uint64_t latest = latest_run_cycles(session);
  while (latest < cycles && !__atomic_compare_exchange_n(&session.run_cycles, &latest, cycles, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace hm::soft
