// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "record/features.h"

namespace hm::linux_pmu {

// What a recording says of the machine it was made on and of how. What the system does not tell is left out.
[[nodiscard]] record::Features host_features(const std::vector<std::string>& command_line);

}  // namespace hm::linux_pmu
