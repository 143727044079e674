// SPDX-License-Identifier: MIT
// Explains the misses of a service's hot places, from a store.
#pragma once

#include <string>
#include <vector>

#include "analysis/fleet/fleet_causes.h"
#include "base/result.h"
#include "store/store.h"
#include "symbol/build_names.h"

namespace hm::query {

struct FleetExplainOptions {
  store::Selection selection;           // must name a service
  std::vector<std::string> events;      // empty: all events except loads, or the clock if there are no others
  size_t limit = 5;                     // maximum number of places per event; 0: all
  double min_share = 0.01;              // minimum fraction of the event's count for a place to be listed
  symbol::BuildNames* names = nullptr;  // as FleetOptions::names
};

// Fails with kInvalidArgument without a service. Fails with kNotFound if the service or a named event was not
// measured.
[[nodiscard]] Result<fleet::FleetCauses> fleet_explain(store::Store& store,
                                                       const FleetExplainOptions& options);

}  // namespace hm::query
