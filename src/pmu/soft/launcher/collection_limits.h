// SPDX-License-Identifier: MIT
// Limits on the part of a run that is collected.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

struct CollectionLimits {
  // Functions inside which the program is collected (sampling/function_names.h); empty: everywhere.
  std::vector<std::string> functions;
  uint64_t start_after_ms = 0;  // no collection before this time
  bool whole = false;           // collect the entire program even if it marks regions

  [[nodiscard]] bool any() const { return !functions.empty() || start_after_ms != 0; }
};

// Fails with kInvalidArgument if there are more functions than a session holds, or if a name is empty or too
// long.
Status limit(Session& session, const CollectionLimits& limits);

// The functions and regions that were found in the run.
struct FunctionUse {
  std::string name;
  bool found = false;    // a program or library of the run defines this function
  uint64_t entered = 0;  // collected activations; calls within an activation are not counted
};
struct CollectionUse {
  bool began = false;  // the run lasted longer than start_after_ms
  std::vector<FunctionUse> functions;
  std::vector<FunctionUse> regions;    // marked by the programs (ring/region_call.h)
  uint64_t programs_with_regions = 0;  // programs of which only the marked regions were collected
};
CollectionUse use_of(const Session& session);

}  // namespace hm::soft
