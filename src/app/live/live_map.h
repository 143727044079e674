// SPDX-License-Identifier: MIT
// Cache map of running processes, computed in successive time windows.
#pragma once

#include <deque>
#include <vector>

#include "analysis/map/cache_map.h"
#include "app/measure/loop.h"
#include "app/measure/record_run.h"
#include "app/query/map_query.h"
#include "base/result.h"
#include "base/temporary_folder.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::live {

struct LiveMapOptions {
  // The processes to sample (their descendants are included) and the sampling options. what.max_ns is the
  // length of a window. The output is ignored.
  measure::RecordOptions record;
  query::MapOptions map;     // the input and the columns are ignored
  size_t max_windows = 256;  // older windows are dropped
};

class LiveMap {
 public:
  // `resolver` must outlive the map.
  LiveMap(const LiveMapOptions& options, const symbol::Resolver& resolver);

  // Measures the next window. Fails with kNotFound if all processes have ended, or else with the source's
  // error.
  [[nodiscard]] Status measure(const measure::Observer& observer);

  [[nodiscard]] size_t windows() const { return windows_.size(); }
  // Returns the number of windows measured, including those that were dropped.
  [[nodiscard]] uint64_t measured() const { return measured_; }
  [[nodiscard]] const query::MapOptions& chosen() const { return options_.map; }
  // Selects another cache or another division into regions; applies to existing windows too.
  void choose(const query::MapOptions& map);
  // Returns the map of the last `columns` windows, without the latest `back` ones. A window without samples
  // is an empty column. Fails with kNotFound if no window has samples.
  [[nodiscard]] Result<map::Map> map(size_t columns, size_t back = 0) const;

 private:
  struct Window {
    profile::Profile profile;
    Result<map::Map> map;  // map of the selected cache
  };

  LiveMapOptions options_;
  const symbol::Resolver& resolver_;
  std::vector<pid_t> pids_;  // the requested processes
  TemporaryFolder folder_;
  std::deque<Window> windows_;
  uint64_t measured_ = 0;
};

}  // namespace hm::live
