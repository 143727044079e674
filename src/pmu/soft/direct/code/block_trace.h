// SPDX-License-Identifier: MIT
// Sends the recorder a record of each block that the translator has made (ring/block_record.h).
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

// Called when `copy` has just been made of `source` and has not run yet.
void trace_block(Recording& recording, const Superblock& source, const Block& copy);

}  // namespace hm::soft::direct
