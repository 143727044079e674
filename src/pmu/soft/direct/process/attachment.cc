// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/process/attachment.h"

#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {

bool can_leave() { return session() != nullptr && attachment().trampoline != 0; }

bool was_running() { return attachment().was_running != 0; }

void note_birth(int32_t threads) {
  __atomic_fetch_add(&attachment().born, static_cast<uint32_t>(threads), __ATOMIC_SEQ_CST);
}
void note_end() { __atomic_fetch_add(&attachment().gone, 1, __ATOMIC_SEQ_CST); }

bool has_other_threads() {
  const Attachment& counts = attachment();
  return __atomic_load_n(&counts.taken_over, __ATOMIC_SEQ_CST) +
             __atomic_load_n(&counts.born, __ATOMIC_SEQ_CST) -
             __atomic_load_n(&counts.gone, __ATOMIC_SEQ_CST) >
         1;
}

void begin_counting_anew() {
  Attachment& counts = attachment();
  counts.taken_over = counts.arrived = 1;
  counts.born = counts.gone = 0;
  counts.released = kInside;
}

}  // namespace hm::soft::direct
