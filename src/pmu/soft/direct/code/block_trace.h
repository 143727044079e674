// SPDX-License-Identifier: MIT
// Shows the recorder what the translator made (ring/block_record.h).
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/session/recording.h"
#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

// `copy` has just been made of `source`, and not been run.
void trace_block(Recording& recording, const Superblock& source, const Block& copy);

}  // namespace hm::soft::direct
