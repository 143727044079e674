// SPDX-License-Identifier: MIT
// This process's part in the last level that its session shares (model/session_cache.h), if there is one.
#pragma once

#include <stdint.h>

#include "model/shared_levels.h"

namespace hm::soft::direct {

// At the start of the process's program.
void open_shared_cache();
// Then, and in a forked child: its lines are its own from now on.
void begin_address_space();
// It becomes the third level of `levels`.
void attach_shared_cache(model::SharedLevels& levels);

// The number by which a thread's lines are counted, from its start to its end.
uint32_t begin_holding_lines(uint32_t pid, uint32_t tid);
void end_holding_lines(uint32_t number);

}  // namespace hm::soft::direct
