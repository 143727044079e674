// SPDX-License-Identifier: GPL-2.0-or-later
// Writes the records that describe a process: its name, its mappings, its threads, its end.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// At the start of a program: writes its name and existing mappings.
void record_program_start();

// Called first in a forked child.
void record_fork(uint32_t parent_pid, uint32_t parent_tid);

void record_thread_start(uint32_t tid, Addr stack_pointer);
void record_thread_end(uint32_t tid);
void record_comm(uint32_t tid, const char* name, bool exec);

// Records the current mapping of the segment that holds `start`.
void record_mapping(Addr start, SizeT bytes);

// The program break has moved up from `start`.
void record_break(Addr start, SizeT bytes);

void record_undecodable(uint64_t ip);

}  // namespace hm::soft::vg
