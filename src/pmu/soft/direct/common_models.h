// SPDX-License-Identifier: MIT
// Common memory, which other processes may have mapped too: connects this process's models with those of the
// others (model/processes.h), and says where frames have changed.
#pragma once

#include <stdint.h>

#include "model/shared_levels.h"

namespace hm::soft::direct {

// Pages [start, end) lie in other frames from now on, or nowhere (model/page_frames.h).
void note_new_frames(uint64_t start, uint64_t end);

// Takes a process slot: at the process's start, and in a forked child. Where there is none, its lines are
// shared with no other process. Where the session has a last level for all, it is the process's, too.
void join_session(uint32_t pid);
// Releases the slot, at the process's end.
void leave_session();

// `levels`, which the cores share, have just been built: gives them the slot.
void attach_shared_levels(model::SharedLevels& levels);

// The next three are called with g_translation held. note_common: mappings that overlap [start, end) are
// common memory if /proc/self/maps says so.
void note_common(uint64_t start, uint64_t end);
// [start, end) is no longer common memory.
void note_not_common(uint64_t start, uint64_t end);
// The mapping of common memory that begins at `start` has been removed.
void note_detached(uint64_t start);
bool is_common(uint64_t address);
bool has_common_memory();

}  // namespace hm::soft::direct
