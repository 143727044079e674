// SPDX-License-Identifier: MIT
// Export to folded stacks, the input of flamegraph.pl (https://github.com/brendangregg/FlameGraph) and other
// tools: a line for each stack, "thread;outermost;...;innermost EVENTS". A semicolon in a name becomes a
// colon, as in stackcollapse-perf.pl; a line feed becomes a blank.
#pragma once

#include "base/result.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"

namespace hm::exports {

// All samples must be of one event (check_one_event). Each stack begins with its thread's name.
[[nodiscard]] Status write_folded(const Selection& selection, const Write& write);

}  // namespace hm::exports
