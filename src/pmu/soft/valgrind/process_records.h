// SPDX-License-Identifier: GPL-2.0-or-later
// Writes the records of a process: its name, mappings, threads and end.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// Writes the program's name and its present mappings. To be called when a program starts.
void record_program_start();

// To be called first in a forked child.
void record_fork(uint32_t parent_pid, uint32_t parent_tid);

void record_thread_start(uint32_t tid, Addr stack_pointer);
void record_thread_end(uint32_t tid);
void record_comm(uint32_t tid, const char* name, bool exec);

// Writes the mapping of the segment that contains `start`.
void record_mapping(Addr start, SizeT bytes);

// Handles growth of the program break from `start`.
void record_break(Addr start, SizeT bytes);

void record_undecodable(uint64_t ip);

}  // namespace hm::soft::vg
