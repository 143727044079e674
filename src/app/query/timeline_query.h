// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/occupancy_over_time.h"
#include "analysis/timeline/episodes.h"
#include "analysis/timeline/history.h"
#include "analysis/timeline/timeline_window.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct TimelineOptions {
  std::string input = "perf.data";  // for load_profile()
  Reading reading;                  // for load_profile()
  timeline::HistoryOptions history;
  bool with_cpus = false;  // load CPU numbers, for windows by CPU
};

// A recording over time; `history` computes windows of it.
struct RecordedHistory {
  std::unique_ptr<const profile::Profile> profile;  // the history points into it
  totals::Totals totals;
  timeline::History history;
};

[[nodiscard]] Result<RecordedHistory> history_of(const TimelineOptions& options,
                                                 const symbol::Resolver& resolver);

struct ShownWindow {
  timeline::Timeline timeline;
  std::vector<timeline::Episode> episodes;  // episodes that overlap the window
  std::optional<occupancy::OverTime>
      over_time;  // occupancy of the last-level cache, in cells that match the window's
};
// Returns a window of a profile's history.
[[nodiscard]] Result<ShownWindow> show_window(const timeline::History& history,
                                              const profile::Profile& profile,
                                              const timeline::Window& window);

}  // namespace hm::query
