// SPDX-License-Identifier: MIT
// Aggregates a recording into the rows that a store keeps.
#pragma once

#include <string>
#include <vector>

#include "agent/services.h"
#include "profile/profile.h"
#include "store/batch.h"
#include "symbol/resolver.h"

namespace hm::agent {

struct Privacy {
  bool paths = true;  // full paths of source files, else only file names
  // Names of functions and data, else only addresses, which the owner of the build can resolve.
  bool functions = true;
};

// Returns the totals of each series, then its locations. Omits samples of idle processors. Code that has no
// name here only has an address. Beyond `most` rows, the locations with the fewest samples are merged into
// one without an address in their module.
[[nodiscard]] std::vector<store::Row> rows_of(const profile::Profile& profile,
                                              const symbol::Resolver& resolver, Services& services,
                                              const Privacy& privacy, size_t most = store::kMaxRows);

}  // namespace hm::agent
