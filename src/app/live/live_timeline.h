// SPDX-License-Identifier: MIT
// The time line of running processes, while they run.
#pragma once

#include "app/live/live_recording.h"
#include "app/query/timeline.h"
#include "symbol/resolver.h"

namespace hm::live {

using LiveTimeline = LiveView<query::RecordedHistory>;

struct LiveTimelineOptions {
  LiveOptions live;
  query::TimelineOptions query;  // of which the input is not looked at
};

// What a LiveTimeline is made with. `resolver` outlives it.
[[nodiscard]] inline LiveTimeline::Make make_history(const query::TimelineOptions& query,
                                                     const symbol::Resolver& resolver) {
  return [query, &resolver](const std::string& path) {
    query::TimelineOptions options = query;
    options.input = path;
    return query::history_of(options, resolver);
  };
}

}  // namespace hm::live
