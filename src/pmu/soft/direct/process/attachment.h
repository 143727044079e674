// SPDX-License-Identifier: MIT
// Counts the process's threads inside the engine, and reports whether they can leave it
// (runtime/process_area.h).
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Returns true if the launcher has installed a trampoline, so that threads can leave. Programs that the
// launcher starts have none.
bool can_leave();

// Returns true if the process was already running when the engine was attached to it.
bool was_running();

// Counts `threads` new threads, created by a thread inside the engine; negative if their creation has failed.
// note_end() counts the end of a thread.
void note_birth(int32_t threads);
void note_end();

// Returns true if more than one thread is inside the engine or about to enter it.
bool has_other_threads();

// Resets the counts in a forked child, which has one thread inside the engine.
void begin_counting_anew();

}  // namespace hm::soft::direct
