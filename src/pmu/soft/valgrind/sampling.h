// SPDX-License-Identifier: GPL-2.0-or-later
// Writes due samples.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/modelled_core.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// Ends the period of a counter that has reached 0 and writes its sample. `now`: tick at the event.
void sample(EventId id, const Cause& cause, Tick now, VexGuestAMD64State* state);

// Returns the program's registers at the instruction `ip`.
Registers read_registers(VexGuestAMD64State* state, uint64_t ip);

}  // namespace hm::soft::vg
