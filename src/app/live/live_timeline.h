// SPDX-License-Identifier: MIT
// Time line of running processes.
#pragma once

#include "app/live/live_recording.h"
#include "app/query/timeline_query.h"
#include "symbol/resolver.h"

namespace hm::live {

using LiveTimeline = LiveView<query::RecordedHistory>;

struct LiveTimelineOptions {
  LiveOptions live;
  query::TimelineOptions query;  // the input is ignored
};

// Returns the function that makes the views of a LiveTimeline. `resolver` must outlive the function.
[[nodiscard]] inline LiveTimeline::Make make_history(const query::TimelineOptions& query,
                                                     const symbol::Resolver& resolver) {
  return [query, &resolver](const std::string& path) {
    query::TimelineOptions options = query;
    options.input = path;
    return query::history_of(options, resolver);
  };
}

}  // namespace hm::live
