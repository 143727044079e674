// SPDX-License-Identifier: MIT
// The models' side of memory that other processes may have mapped, too: what they do to its lines is met here
// (model/processes.h).
#pragma once

#include <stdint.h>

#include "model/shared_levels.h"

namespace hm::soft::direct {

// This process is one of the session's from now on: at its start, and in a forked child. Where it cannot be,
// it shares no lines with others.
void join_session(uint32_t pid);
// Its end.
void leave_session();

// What its cores share has been built.
void attach_shared_levels(model::SharedLevels& levels);

// One thread at a time: with g_translation held. Mappings that [start, end) touches are of memory that others
// may map, too, if /proc/self/maps says so.
void note_common(uint64_t start, uint64_t end);
// Nobody else has it any longer.
void note_not_common(uint64_t start, uint64_t end);
// The mapping that begins there is gone.
void note_detached(uint64_t start);
bool is_common(uint64_t address);
bool has_common_memory();

}  // namespace hm::soft::direct
