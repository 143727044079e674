// SPDX-License-Identifier: MIT
// A recording, added up to what a store keeps of it.
#pragma once

#include <string>
#include <vector>

#include "agent/services.h"
#include "profile/profile.h"
#include "store/batch.h"
#include "symbol/resolver.h"

namespace hm::agent {

struct Privacy {
  bool paths = true;  // where source files lie, else only their names
  bool functions =
      true;  // names of functions and data, else only addresses, which the build-id's owner can name
};

// The totals of each series, then its places. Samples of idle processors are left out. What cannot be named
// here has its address alone. Of more than `most` rows the places with the fewest samples become one of no
// address in their module.
[[nodiscard]] std::vector<store::Row> rows_of(const profile::Profile& profile,
                                              const symbol::Resolver& resolver, Services& services,
                                              const Privacy& privacy, size_t most = store::kMostRows);

}  // namespace hm::agent
