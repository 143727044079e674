// SPDX-License-Identifier: GPL-2.0-or-later
// Prefetch instructions, which VEX drops. Each is kept until the block is instrumented, as a call that is
// never executed.
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// Returns the prefetched address if the call represents a prefetch, otherwise null.
IRExpr* prefetched_address(const IRDirty* call);

}  // namespace hm::soft::vg
