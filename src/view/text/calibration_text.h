// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "host/calibration/machine_profile.h"
#include "view/text/table.h"

namespace hm::text {

// Returns tables of what things cost on the machine, and notes about the measurement.
[[nodiscard]] std::string calibration_report(const host::MachineProfile& profile, const Style& style);

}  // namespace hm::text
