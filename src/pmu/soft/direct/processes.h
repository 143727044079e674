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

// Whether the thread's process is a child of vfork, which shares this memory until it is another program.
bool is_of_vfork(const Thread& thread);

// What is to be told before exit_group. Other threads do not go on.
void end_process(Thread& thread);

}  // namespace hm::soft::direct
