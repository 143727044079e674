// SPDX-License-Identifier: MIT
// Export to the JSON of Chrome's trace viewer ("Trace Event Format"), which ui.perfetto.dev also reads.
#pragma once

#include "base/result.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"

namespace hm::exports {

// Writes an instant event ("i") of its thread for each sample, named after the innermost function. The
// category is the event, and "sf" is the stack, which Perfetto does not show. The args hold the number of
// events and the accessed object. Counters ("C") hold each process's events per second, and the bytes that
// each measured holder has in the last-level cache. Metadata events ("M") name processes and threads.
[[nodiscard]] Status write_chrome(const Selection& selection, const Write& write);

}  // namespace hm::exports
