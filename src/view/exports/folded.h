// SPDX-License-Identifier: MIT
// Folded stacks, as flamegraph.pl and others take them (https://github.com/brendangregg/FlameGraph): a line
// for each stack, "thread;outermost;...;innermost EVENTS". A semicolon in a name becomes a colon, as
// stackcollapse-perf.pl does it; a line feed a blank.
#pragma once

#include "base/result.h"
#include "view/exports/pieces.h"
#include "view/exports/selection.h"

namespace hm::exports {

// The samples must be of one event (check_one_event); threads by their names.
[[nodiscard]] Status write_folded(const Selection& selection, const Write& write);

}  // namespace hm::exports
