// SPDX-License-Identifier: MIT
// The profile format of Callgrind ("Callgrind Format Specification" in Valgrind's documentation), as
// callgrind_annotate and KCachegrind read it.
#pragma once

#include "base/result.h"
#include "view/exports/pieces.h"
#include "view/exports/selection.h"

namespace hm::exports {

// Costs are events, by instruction and line; code that was inlined is the function's with a symbol, with
// lines of its own files ("fi="), as Callgrind has it. A call's cost is of the samples with it in their
// chain; its count is how many these are, as nobody counted the calls. A function's calls of itself are left
// out: their cost is in that of the outermost call.
[[nodiscard]] Status write_callgrind(const Selection& selection, const Write& write);

}  // namespace hm::exports
