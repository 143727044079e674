// SPDX-License-Identifier: MIT
// Queries on a store, analogous to the queries on a recording.
#pragma once

#include <string>

#include "analysis/fleet/fleet_over_time.h"
#include "analysis/fleet/fleet_rows.h"
#include "base/result.h"
#include "store/store.h"
#include "symbol/build_names.h"

namespace hm::query {

struct FleetOptions {
  store::Selection selection;  // if it has no event, the most informative one is used (docs/fleet.md)
  std::string sort =
      "function";     // for a service: one or more of function, line, module, host, release, class, object
  size_t limit = 20;  // maximum number of rows; 0: all
  symbol::BuildNames* names = nullptr;  // names for code that agents could not name; nullptr: show addresses
};

// Returns the places of the selected service, or all services if none is selected. Fails with kNotFound if
// there are no measurements.
[[nodiscard]] Result<fleet::Table> fleet_report(store::Store& store, const FleetOptions& options);

// Compares two releases of the selected service, which must be set. `before` and `after` are prefixes of
// build IDs.
[[nodiscard]] Result<fleet::Comparison> fleet_diff(store::Store& store, const FleetOptions& options,
                                                   const std::string& before, const std::string& after);

// Returns the selection, or the selected place, over time in at most `most` buckets. For the clock event,
// only places have a rate, not a whole service.
[[nodiscard]] Result<fleet::OverTime> fleet_over_time(store::Store& store, const store::Selection& selection,
                                                      uint64_t most);

// Returns the selectable values for the event. An empty store gives an empty result, not an error.
[[nodiscard]] Result<fleet::Choices> fleet_choices(store::Store& store, const store::Selection& selection);

}  // namespace hm::query
