// SPDX-License-Identifier: GPL-2.0-or-later
// Prefetch instructions, which VEX drops: they are kept as calls that are never made, until the block is
// instrumented.
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// Where the call stands for a prefetch, its address; null otherwise.
IRExpr* prefetched_address(const IRDirty* call);

}  // namespace hm::soft::vg
