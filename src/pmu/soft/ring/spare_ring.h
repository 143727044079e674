// SPDX-License-Identifier: MIT
// How a process with files that may not grow to a ring's size (RLIMIT_FSIZE) gets a ring from the recorder.
// Freestanding.
#pragma once

#include "pmu/soft/ring/decimal.h"
#include "pmu/soft/ring/doorbell.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

struct SpareFileName {
  explicit SpareFileName(uint32_t index) {
    char* end = text;
    for (const char* c = kSpareFilePrefix; *c != '\0'; ++c) *end++ = *c;
    write_decimal(end, index);
  }

  char text[sizeof(kSpareFilePrefix) + kMaxDecimalDigits] = {};
};

// Waits for a spare ring while the recorder lives and answers, and opens it with open(name). Returns the
// descriptor, or -1.
template <typename Open>
int take_spare_ring(Session& session, int session_fd, Open&& open) {
  constexpr unsigned kMaxLooks = 100;
  constexpr uint64_t kLookNs = 50'000'000;
  int fd = -1;
  __atomic_fetch_add(&session.spares_wanted, 1, __ATOMIC_SEQ_CST);
  const auto is_answered = [&] {
    return __atomic_load_n(&session.stalled, __ATOMIC_ACQUIRE) == 0 && recorder_lives(session_fd);
  };
  for (unsigned looks = 0; fd < 0 && looks < kMaxLooks && is_answered(); ++looks) {
    uint32_t seen = __atomic_load_n(&session.spares_made, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < kMaxSpares && fd < 0; ++i) {
      uint32_t ready = kSpareReady;
      if (!__atomic_compare_exchange_n(&session.spare_states[i], &ready, uint32_t{kSpareClaimed}, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        continue;
      fd = open(SpareFileName(i).text);
      __atomic_store_n(&session.spare_states[i], uint32_t{kSpareTaken}, __ATOMIC_RELEASE);
    }
    if (fd >= 0) break;
    ring_doorbell(session);
    futex_wait(&session.spares_made, seen, kLookNs);
  }
  __atomic_fetch_sub(&session.spares_wanted, 1, __ATOMIC_SEQ_CST);
  return fd;
}

}  // namespace hm::soft
