// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "app/live/live_map.h"
#include "app/query/map.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::cli {

struct WatchOptions {
  live::LiveMapOptions live;
  std::function<size_t()> columns;  // how many windows are shown; called again and again
  uint64_t most_windows = 0;        // 0: until the processes or the user end it
  bool quiet = false;               // nothing is shown on the way
};

// Measures window by window, and shows the map after each: on a terminal in place, elsewhere one after the
// other. Gives the map of the last windows. A process that ends after the first window is no error.
[[nodiscard]] Result<map::Map> watch(const WatchOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::cli
