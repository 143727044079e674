// SPDX-License-Identifier: MIT
// Export to a trace of Perfetto (https://perfetto.dev/docs/reference/trace-packet-proto).
#pragma once

#include "base/result.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"

namespace hm::exports {

// Writes a PerfSample with its call stack for each sample, in a packet sequence for each event, of which
// ui.perfetto.dev draws samples at their times and flame graphs of a selected range. The viewer counts
// samples; each one has the number of its event's occurrences so far as its `timebase_count`. ProcessTree
// names processes and threads.
[[nodiscard]] Status write_perfetto(const Selection& selection, const Write& write);

}  // namespace hm::exports
