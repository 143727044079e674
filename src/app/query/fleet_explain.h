// SPDX-License-Identifier: MIT
// Why a service's hot places miss, asked of a store.
#pragma once

#include <string>
#include <vector>

#include "analysis/fleet/causes.h"
#include "base/result.h"
#include "store/store.h"
#include "symbol/build_names.h"

namespace hm::query {

struct FleetExplainOptions {
  store::Selection selection;           // of one service
  std::vector<std::string> events;      // empty: all that are no load; the clock where there are no others
  size_t limit = 5;                     // places of each event; 0: all
  double min_share = 0.01;              // of the event's count: smaller places are left out
  symbol::BuildNames* names = nullptr;  // FleetOptions::names
};

// kInvalidArgument without a service; kNotFound where it was not measured, or not by an event that was named.
[[nodiscard]] Result<fleet::FleetCauses> fleet_explain(store::Store& store,
                                                       const FleetExplainOptions& options);

}  // namespace hm::query
