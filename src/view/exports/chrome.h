// SPDX-License-Identifier: MIT
// The JSON of Chrome's trace viewer ("Trace Event Format"), which ui.perfetto.dev reads as well.
#pragma once

#include "base/result.h"
#include "view/exports/pieces.h"
#include "view/exports/selection.h"

namespace hm::exports {

// For each sample an instant of its thread ("i"), called as the innermost function, with the event as its
// category, the stack ("sf", which Perfetto does not show), and in its args how many events it stands for and
// what was accessed. Counters ("C"): of each process, the events in a second; of who was measured on the
// last-level cache, the bytes held. Names of processes and threads ("M").
[[nodiscard]] Status write_chrome(const Selection& selection, const Write& write);

}  // namespace hm::exports
