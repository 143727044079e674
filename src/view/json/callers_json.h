// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analysis/callers/caller.h"
#include "view/json/values.h"

namespace hm::json {

// A list of {"function", "dso", "inlined", "file" and "line" (null if unknown or merged), "samples", "share",
// "callers": [...]}.
[[nodiscard]] Json callers_json(const std::vector<callers::Caller>& callers);

}  // namespace hm::json
