// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/cause/cause.h"

namespace hm::cause {

// A place, and what it costs.
struct WorstPlace {
  std::string event;  // of those in which it is a place, the one that costs most
  double cycles = 0;  // that its events wait, in all: Place::wait_cycles of each
  Place place;
};

// The places of all events together, those with the most cycles first; those without
// latencies are left out.
[[nodiscard]] std::vector<WorstPlace> worst_places(const Causes& causes, size_t limit);

}  // namespace hm::cause
