// SPDX-License-Identifier: MIT
// The parts of a diagnosis.
#pragma once

#include <vector>

#include "app/measure/diagnosis.h"

namespace hm::measure {

[[nodiscard]] std::vector<Finding> hardware_findings();
[[nodiscard]] Finding find_cache_monitoring();

}  // namespace hm::measure
