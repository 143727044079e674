// SPDX-License-Identifier: MIT
// The parts of a diagnosis.
#pragma once

#include <vector>

#include "app/doctor.h"

namespace hm::app {

[[nodiscard]] std::vector<Finding> hardware_findings();

}  // namespace hm::app
