// SPDX-License-Identifier: MIT
// The parts of a diagnosis.
#pragma once

#include <vector>

#include "app/measure/diagnosis.h"
#include "pmu/linux/kernel.h"

namespace hm::measure {

[[nodiscard]] std::vector<Finding> hardware_findings(linux_pmu::Kernel& kernel);
[[nodiscard]] Finding find_cache_monitoring();

}  // namespace hm::measure
