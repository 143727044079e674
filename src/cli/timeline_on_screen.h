// SPDX-License-Identifier: MIT
#pragma once

#include "analysis/timeline/history.h"
#include "app/live/live_timeline.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::cli {

// Returns whether a full screen can be shown: standard input and output are a terminal.
[[nodiscard]] bool has_screen();

// Shows the recording on a full screen until the user quits. Fails with kUnsupported if the terminal cannot
// show it.
Status show_on_screen(const query::RecordedHistory& recorded, const timeline::Window& first);

// Shows running processes while they run, initially the last `span_ns`. The screen stays when they have
// ended. Fails with kUnsupported if the terminal cannot show it, with kNotFound if they ended before a sample
// arrived, else with the measurement's error.
Status watch_on_screen(const live::LiveTimelineOptions& options, const timeline::Window& first,
                       uint64_t span_ns, const symbol::Resolver& resolver);

}  // namespace hm::cli
