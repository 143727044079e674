// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/overhead/overhead_costs.h"

namespace hm::json {

// {"schema": 1, "ways": [{"name", "obstacle", "wall_seconds", "cpu_seconds", "more_wall", "more_cpu",
// "samples_per_second", "lost"}...]}; estimates are {"value", "low", "high"}, null if not measured.
[[nodiscard]] std::string overhead_json(const std::vector<overhead::Cost>& costs);

}  // namespace hm::json
