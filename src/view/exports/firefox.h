// SPDX-License-Identifier: MIT
// Export to the processed profile format of the Firefox Profiler (https://profiler.firefox.com), version 48
// in docs-developer/CHANGELOG-formats.md of https://github.com/firefox-devtools/profiler. Newer versions of
// the profiler upgrade older profiles, and ui.perfetto.dev reads the format as well.
#pragma once

#include "base/result.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"

namespace hm::exports {

// Writes a profile thread for each pair of event and thread, with sampling periods as weights. With several
// events its name is, for example, "gather: l1_cache_miss". Addresses are relative to the mapped files.
[[nodiscard]] Status write_firefox(const Selection& selection, const Write& write);

}  // namespace hm::exports
