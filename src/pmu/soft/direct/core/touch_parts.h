// SPDX-License-Identifier: MIT
// The accessible parts of a core's touch table.
//
// The table covers the whole address space, and a program can map much more memory than it uses: the shadow
// memory of AddressSanitizer takes 16 TiB, but few of its pages are written. A search of all of it for
// resident pages would take a second. So the table is inaccessible at first. The first write to a part of it
// faults, and makes the part accessible. Only accessible parts have to be searched.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/ranges.h"

namespace hm::soft::direct {

// Makes the memory behind a new core its touch table: reserved, inaccessible. Returns false if there is no
// memory.
bool prepare_touch_table(Core& core, uint64_t table_bytes);

// Makes the part that includes `address`, an address in the table, accessible. Returns false if the address
// is not in the table, or if the system refuses.
bool open_touch_part(Core& core, uint64_t address);

// Returns the overlap of [start, end), addresses in the table, with the first accessible part in it; an empty
// range at `end` if there is none.
Range first_open_part(Core& core, uint64_t start, uint64_t end);

}  // namespace hm::soft::direct
