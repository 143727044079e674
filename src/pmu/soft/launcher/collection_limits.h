// SPDX-License-Identifier: MIT
// Limits on the parts of a run that are collected.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

struct CollectionLimits {
  std::vector<std::string>
      functions;                // collect only inside these (sampling/function_names.h); empty: everywhere
  uint64_t start_after_ms = 0;  // collect nothing before this time
  bool whole = false;           // collect all of a program, even if it marks regions itself

  [[nodiscard]] bool any() const { return !functions.empty() || start_after_ms != 0; }
};

// Fails with kInvalidArgument if there are more functions than a session holds, or a name is empty or too
// long.
Status limit(Session& session, const CollectionLimits& limits);

// How often the limits matched in the run.
struct FunctionUse {
  std::string name;
  bool found = false;    // a program or library that ran defines it
  uint64_t entered = 0;  // collected activations; nested calls are not counted
};
struct CollectionUse {
  bool began = false;  // the run lasted longer than start_after_ms
  std::vector<FunctionUse> functions;
  std::vector<FunctionUse> regions;    // regions that programs have marked (ring/region_call.h)
  uint64_t programs_with_regions = 0;  // programs that mark regions, and are collected only in them
};
CollectionUse use_of(const Session& session);

}  // namespace hm::soft
