// SPDX-License-Identifier: MIT
// Episodes: intervals in which a running process is measured, with native code between them. Only the
// engine's memory stays from one episode to the next, so that copies need not be made again. The program's
// changes of mappings, code and signal actions meanwhile are read when the next episode begins.
#pragma once

#include "pmu/soft/direct/runtime/process_area.h"

namespace hm::soft::direct {

// Called when all threads have left. `for_now`: another episode may follow; otherwise the engine's memory is
// no longer needed.
void end_episode(bool for_now);

// Called for the first thread that enters after end_episode(true).
void begin_episode(const StartInfo& start);

// From here on, the session counts this process as one of its processes.
void enter_session();

// Reads the current mappings of code.
void learn_code();

}  // namespace hm::soft::direct
