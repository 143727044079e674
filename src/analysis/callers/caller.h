// SPDX-License-Identifier: MIT
// Who called, and what is inlined into what: a function as it is met on the way outwards from a sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::callers {

struct Caller {
  std::string function;
  std::string dso;
  bool inlined = false;  // into the function that comes next
  std::string file;      // of the line that calls; empty where lines are not told apart, or not known
  uint32_t line = 0;     // 0: likewise
  uint64_t samples = 0;  // of all events
  double share = 0;      // of the row's samples
  std::vector<Caller> callers{};
};

}  // namespace hm::callers
