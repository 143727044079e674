// SPDX-License-Identifier: GPL-2.0-or-later
// Keeps prefetch instructions, which VEX drops: represents each by a call that is never executed, until the
// block is instrumented.
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// Returns the prefetched address if the call represents a prefetch, else null.
IRExpr* prefetched_address(const IRDirty* call);

}  // namespace hm::soft::vg
