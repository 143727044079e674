// SPDX-License-Identifier: GPL-2.0-or-later
// Prefetch instructions, which VEX drops. Here each is kept as a call that is never executed, until the block
// is instrumented.
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// Where the call stands for a prefetch, the prefetched address; null otherwise.
IRExpr* prefetched_address(const IRDirty* call);

}  // namespace hm::soft::vg
