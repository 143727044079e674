// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "record/features.h"

namespace hm::linux_pmu {

// Describes the machine and the command of a recording. Omits values that the system does not report.
[[nodiscard]] record::Features host_features(const std::vector<std::string>& command_line);

}  // namespace hm::linux_pmu
