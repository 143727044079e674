// SPDX-License-Identifier: MIT
// Limits of what is collected of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

struct CollectionLimits {
  std::vector<std::string>
      functions;                // only inside one of these (sampling/function_names.h); empty: everywhere
  uint64_t start_after_ms = 0;  // nothing before this time
  bool whole = false;           // all of a program, even where it marks regions itself

  [[nodiscard]] bool any() const { return !functions.empty() || start_after_ms != 0; }
};

// kInvalidArgument where there are more functions than a session holds, or one has no name or too long a one.
Status limit(Session& session, const CollectionLimits& limits);

// What the limits matched in the run.
struct FunctionUse {
  std::string name;
  bool found = false;    // a program or library that ran names it
  uint64_t entered = 0;  // activations that were collected; calls within an activation begin none
};
struct CollectionUse {
  bool began = false;  // the run lasted longer than start_after_ms
  std::vector<FunctionUse> functions;
  std::vector<FunctionUse> regions;    // that programs have marked (ring/region_call.h)
  uint64_t programs_with_regions = 0;  // of which nothing else was collected
};
CollectionUse use_of(const Session& session);

}  // namespace hm::soft
