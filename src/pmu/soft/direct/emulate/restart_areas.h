// SPDX-License-Identifier: MIT
// The areas that threads register with the kernel for restartable sequences (rseq(2),
// translate/restartable_sequence.h).
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/process_area.h"

namespace hm::soft::direct {

// Returns true if the thread's rseq call must fail as on a kernel without it.
bool refuses_restart_area(const Thread& thread);

// Called after a successful rseq call.
void follow_restart_area(Thread& thread);

// Called when a thread with an area arrives in the engine.
void take_restart_area(Thread& thread, const StartInfo& start);

// Learns the sequence that the thread has begun, if it is unknown: its descriptor's address was no constant
// of the code.
void learn_begun_sequence(Thread& thread);

// Returns the address at which the thread continues if the kernel interrupts it at `ip`: the abort address if
// it is in a sequence, otherwise `ip`.
uint64_t restarted(const Thread& thread, uint64_t ip);

}  // namespace hm::soft::direct
