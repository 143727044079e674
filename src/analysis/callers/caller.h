// SPDX-License-Identifier: MIT
// One function in a caller tree, which runs from a sample outwards through inlined functions and callers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::callers {

struct Caller {
  std::string function;
  std::string dso;
  bool inlined = false;  // true if inlined into the functions in `callers`
  std::string file;      // file of the calling line; empty if lines are not requested or unknown
  uint32_t line = 0;     // number of the calling line; 0 if lines are not requested or unknown
  uint64_t samples = 0;  // samples of all events
  double share = 0;      // fraction of the row's samples
  std::vector<Caller> callers{};
};

}  // namespace hm::callers
