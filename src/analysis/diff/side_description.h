// SPDX-License-Identifier: MIT
// Descriptions of the sides of a comparison.
#pragma once

#include <string>
#include <vector>

namespace hm::diff {

// A property that should be equal on both sides but is not.
struct Difference {
  std::string what;    // name of the property: "machine"
  std::string before;  // empty: unknown
  std::string after;
};

struct RecordingSide {
  std::vector<std::string> files;
  bool baseline = false;  // all files are baselines
  std::string pmu;
  std::string engine;
  std::string machine;
  std::string command;
  std::vector<std::string> remarks;
};

}  // namespace hm::diff
