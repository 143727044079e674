// SPDX-License-Identifier: MIT
// Episodes: times in which a running process is measured, with native code between them. The engine's memory
// stays from one to the next, so that copies need not be made anew; nothing else of the engine does. What the
// program has mapped, changed and installed meanwhile is learnt when the next episode begins.
#pragma once

#include "pmu/soft/direct/runtime/process_area.h"

namespace hm::soft::direct {

// All threads have left. `for_now`: there may be another episode; else the engine's memory is of no use any
// more.
void end_episode(bool for_now);

// A thread comes, the first since end_episode(true).
void begin_episode(const StartInfo& start);

// The session's processes count this one from here on.
void enter_session();

// Reads which code is mapped now.
void learn_code();

}  // namespace hm::soft::direct
