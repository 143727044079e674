// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::hotspots {

struct Caller {
  std::string function;
  std::string dso;
  uint64_t samples = 0;  // of all events
  double share = 0;      // of the row's samples
  std::vector<Caller> callers;
};

}  // namespace hm::hotspots
