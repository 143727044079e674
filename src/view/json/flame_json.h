// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/flame/flame.h"

namespace hm::json {

// {"schema": 1, "event", "samples", "estimated", "has_chains", "left_out", "root": NODE}; NODE: {"function",
// "dso", "inlined", "samples", "self", "children": [NODE...]}.
[[nodiscard]] std::string flame_json(const flame::Flame& flame);

}  // namespace hm::json
