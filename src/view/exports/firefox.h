// SPDX-License-Identifier: MIT
// The processed profile format of the Firefox Profiler (https://profiler.firefox.com), version 48 of those in
// docs-developer/CHANGELOG-formats.md of https://github.com/firefox-devtools/profiler; newer versions of the
// profiler bring older profiles up to date, and ui.perfetto.dev reads it as well.
#pragma once

#include "base/result.h"
#include "view/exports/pieces.h"
#include "view/exports/selection.h"

namespace hm::exports {

// A thread for each event and thread, called "gather: l1_cache_miss" where there are several events, with
// periods as weights. Addresses are those in the mapped files.
[[nodiscard]] Status write_firefox(const Selection& selection, const Write& write);

}  // namespace hm::exports
