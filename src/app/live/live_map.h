// SPDX-License-Identifier: MIT
// The cache map of running processes, window by window.
#pragma once

#include <deque>
#include <vector>

#include "analysis/map/map.h"
#include "app/measure/loop.h"
#include "app/measure/record.h"
#include "app/query/map.h"
#include "base/result.h"
#include "base/temporary_folder.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::live {

struct LiveMapOptions {
  // Which processes, with those that they start; how they are sampled; what.most_ns is the length of a
  // window. Where it is recorded to is not looked at.
  measure::RecordOptions record;
  query::MapOptions map;      // of which the input and the columns are not looked at
  size_t most_windows = 256;  // older ones are forgotten
};

class LiveMap {
 public:
  // `resolver` outlives it.
  LiveMap(const LiveMapOptions& options, const symbol::Resolver& resolver);

  // Measures the next window. kNotFound where none of the processes is there any more; else the source's
  // error.
  [[nodiscard]] Status measure(const measure::Observer& observer);

  [[nodiscard]] size_t windows() const { return windows_.size(); }
  [[nodiscard]] const query::MapOptions& chosen() const { return options_.map; }
  // Another cache, or other regions of it, also for the windows so far.
  void choose(const query::MapOptions& map);
  // Of the last `columns` windows, but for the latest `back`; one that had no samples is an empty column.
  // kNotFound where none of them had any.
  [[nodiscard]] Result<map::Map> map(size_t columns, size_t back = 0) const;

 private:
  struct Window {
    profile::Profile profile;
    Result<map::Map> map;  // of what is chosen
  };

  LiveMapOptions options_;
  const symbol::Resolver& resolver_;
  std::vector<pid_t> pids_;  // that were asked for
  TemporaryFolder folder_;
  std::deque<Window> windows_;
};

}  // namespace hm::live
