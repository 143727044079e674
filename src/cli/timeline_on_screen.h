// SPDX-License-Identifier: MIT
#pragma once

#include "analysis/timeline/history.h"
#include "app/live/live_timeline.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::cli {

// Whether a full screen can be shown: standard input and output are a terminal.
[[nodiscard]] bool has_screen();

// On a full screen, until the user ends it. kUnsupported where the terminal cannot show it.
Status show_on_screen(const query::RecordedHistory& recorded, const timeline::Window& first);

// Of running processes while they run, at first the last `span_ns`; what is seen stays when they have ended.
// kUnsupported likewise; kNotFound where they ended before a sample came; else the measurement's error.
Status watch_on_screen(const live::LiveTimelineOptions& options, const timeline::Window& first,
                       uint64_t span_ns, const symbol::Resolver& resolver);

}  // namespace hm::cli
