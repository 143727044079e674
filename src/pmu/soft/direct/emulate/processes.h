// SPDX-License-Identifier: MIT
// Threads and processes that the target makes, and their ends.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Does clone, clone3, fork or vfork: returns the call's result in the calling thread, 0 in a forked child.
int64_t make_child(Thread& thread, uint64_t number);

// A thread runs for the first time.
void announce_thread(Thread& thread);

// exit(2), by a thread that has released its core. Returns only if a signal has to be taken before.
int64_t exit_thread(Thread& thread);

// Whether the thread's process is a child of vfork, which shares this memory until it runs another program.
bool is_of_vfork(const Thread& thread);

// Writes the process's last records and totals, before the process ends. Other threads do not continue.
// Called once: from then on the target must not run again.
void end_process(Thread& thread);

// exit_group(2), by a thread that has released its core.
[[noreturn]] void exit_process(Thread& thread);

}  // namespace hm::soft::direct
