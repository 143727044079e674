// SPDX-License-Identifier: MIT
// The questions that a recording is asked, of a store.
#pragma once

#include <string>

#include "analysis/fleet/fleet.h"
#include "analysis/fleet/over_time.h"
#include "base/result.h"
#include "store/store.h"
#include "symbol/build_names.h"

namespace hm::query {

struct FleetOptions {
  store::Selection selection;  // without an event: one that says much (docs/fleet.md)
  std::string sort =
      "function";     // of a service: function, line, module, host, release, class, object; one or more
  size_t limit = 20;  // rows; 0: all
  symbol::BuildNames* names = nullptr;  // of what agents could not name; nullptr: it goes by its address
};

// Of one service its places; of all, where none is selected, the services. kNotFound where nothing was
// measured.
[[nodiscard]] Result<fleet::Table> fleet_report(store::Store& store, const FleetOptions& options);

// Of a service, which must be selected: `before` and `after` are the beginnings of two releases' build-ids.
[[nodiscard]] Result<fleet::Comparison> fleet_diff(store::Store& store, const FleetOptions& options,
                                                   const std::string& before, const std::string& after);

// Of all that the selection lets through, or of the place in it: in at most `most` buckets. Of the clock a
// service has no rate, only its places do.
[[nodiscard]] Result<fleet::OverTime> fleet_over_time(store::Store& store, const store::Selection& selection,
                                                      uint64_t most);

// What there is to be chosen from, of the event. An empty store has nothing, which is no error.
[[nodiscard]] Result<fleet::Choices> fleet_choices(store::Store& store, const store::Selection& selection);

}  // namespace hm::query
