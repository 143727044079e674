// SPDX-License-Identifier: MIT
// Who of the process's threads is in the engine, and whether they can leave it (runtime/process_area.h).
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Whether the launcher has put a trampoline there, so that threads can leave: not in programs that it starts.
bool can_leave();

// Whether the process ran already when the engine came: it was attached to.
bool was_running();

// Whenever a thread inside makes others, or (`threads` below 0) could not; whenever one ends.
void note_birth(int32_t threads);
void note_end();

// Whether more than one thread is inside, or about to be.
bool has_other_threads();

// In a forked child: one thread is inside.
void begin_counting_anew();

}  // namespace hm::soft::direct
