// SPDX-License-Identifier: MIT
// Threads and processes that the target creates, and their ends.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Executes clone, clone3, fork or vfork. Returns the call's result in the calling thread, 0 in a forked
// child.
int64_t make_child(Thread& thread, uint64_t number);

// Called when a thread runs for the first time.
void announce_thread(Thread& thread);

// Executes exit(2) for a thread that has released its core. Returns only if a signal must be taken first.
int64_t exit_thread(Thread& thread);

// Returns true if the thread's process is a child of vfork, which shares this memory until it executes
// another program.
bool is_of_vfork(const Thread& thread);

// Writes the process's last records and totals before the process ends. Other threads do not continue. Called
// once: the target must not run again after that.
void end_process(Thread& thread);

// Executes exit_group(2) for a thread that has released its core.
[[noreturn]] void exit_process(Thread& thread);

}  // namespace hm::soft::direct
