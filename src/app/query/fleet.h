// SPDX-License-Identifier: MIT
// The questions that a recording is asked, of a store.
#pragma once

#include <string>

#include "analysis/fleet/fleet.h"
#include "base/result.h"
#include "store/store.h"

namespace hm::query {

struct FleetOptions {
  store::Selection selection;  // without an event: the one that has the most samples there
  std::string sort =
      "function";     // of a service: function, line, module, host, release, class, object; one or more
  size_t limit = 20;  // rows; 0: all
};

// Of one service its places; of all, where none is selected, the services. kNotFound where nothing was
// measured.
[[nodiscard]] Result<fleet::Table> fleet_report(store::Store& store, const FleetOptions& options);

// Of a service, which must be selected: `before` and `after` are the beginnings of two releases' build-ids.
[[nodiscard]] Result<fleet::Comparison> fleet_diff(store::Store& store, const FleetOptions& options,
                                                   const std::string& before, const std::string& after);

}  // namespace hm::query
