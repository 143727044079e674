// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "record/features.h"

namespace hm::linux_pmu {

// Returns a recording's description of the machine and of the command line. Omits unavailable values.
[[nodiscard]] record::Features host_features(const std::vector<std::string>& command_line);

}  // namespace hm::linux_pmu
