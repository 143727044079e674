// SPDX-License-Identifier: MIT
// Threads and processes that the target makes, and their ends.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/thread.h"

namespace hm::soft::direct {

// clone, clone3, fork, vfork: the result for the thread that asked, or 0 in a forked child.
int64_t make_child(Thread& thread, uint64_t number);

// A thread runs for the first time.
void announce_thread(Thread& thread);

// exit, of a thread that has stepped aside.
[[noreturn]] void exit_thread(Thread& thread);

// What is to be told before exit_group.
void end_process(Thread& thread);

}  // namespace hm::soft::direct
