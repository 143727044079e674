// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "app/live/live_map.h"
#include "app/query/map_query.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::cli {

struct WatchOptions {
  live::LiveMapOptions live;
  std::string title;                // of the screen: what is measured
  std::function<size_t()> columns;  // returns how many windows are shown; called repeatedly
  uint64_t max_windows = 0;         // 0: until the processes or the user end it
  bool quiet = false;               // show nothing before the end
};

// Measures window by window and shows the map after each window: on a full screen if there is a terminal,
// else one map after the other. Returns the map of the last windows. A process that ends after the first
// window is not an error.
[[nodiscard]] Result<map::Map> watch(const WatchOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::cli
