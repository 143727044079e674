// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/cause/cause.h"

namespace hm::cause {

// A place and its cost.
struct WorstPlace {
  std::string event;  // the event with the highest cost at this place
  double cycles = 0;  // total wait in cycles: mean wait times number of events
  HotLocation place;
};

// Returns the places of all events, most cycles first. Leaves out places without latencies; with memory_wait
// among the events, also those of the misses whose waits it counts.
[[nodiscard]] std::vector<WorstPlace> worst_places(const Causes& causes, size_t limit);

}  // namespace hm::cause
