// SPDX-License-Identifier: MIT
// The sides of a comparison, as they are told.
#pragma once

#include <string>
#include <vector>

namespace hm::diff {

// Something that should be equal and is not.
struct Difference {
  std::string what;    // "machine"
  std::string before;  // empty: not told
  std::string after;
};

struct RecordingSide {
  std::vector<std::string> files;
  bool baseline = false;  // all of them
  std::string pmu;
  std::string engine;
  std::string machine;
  std::string command;
  std::vector<std::string> remarks;
};

}  // namespace hm::diff
