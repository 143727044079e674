// SPDX-License-Identifier: GPL-2.0-or-later
// What an access means for the counters, and the samples that fall due.
#pragma once

#include <stdint.h>

#include "pmu/soft/events/sample_record.h"
#include "threads.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// Counts `events` of `id` and writes a sample where one is due. `now` is the tick at the event.
void count(event::EventId id, uint64_t events, const Cause& cause, Tick now, VexGuestAMD64State* state);

// Writes the sample of a counter that translated code has counted down.
void sample(event::EventId id, const Cause& cause, Tick now, VexGuestAMD64State* state);

}  // namespace hm::soft::vg
