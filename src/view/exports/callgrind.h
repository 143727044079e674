// SPDX-License-Identifier: MIT
// Export to Callgrind's profile format ("Callgrind Format Specification" in Valgrind's documentation), which
// callgrind_annotate and KCachegrind read.
#pragma once

#include "base/result.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"

namespace hm::exports {

// Costs are event counts by instruction and line. As in Callgrind, inlined code belongs to the function with
// a symbol, with lines of its own files ("fi="). A call's cost is that of the samples with this call in their
// chain. Its count is the number of these samples, because calls are not counted. Recursive calls are left
// out: their cost is included in the outermost call.
[[nodiscard]] Status write_callgrind(const Selection& selection, const Write& write);

}  // namespace hm::exports
