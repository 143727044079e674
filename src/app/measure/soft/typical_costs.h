// SPDX-License-Identifier: MIT
// Costs of modelled events on a typical processor, for machines that are not calibrated.
#pragma once

#include "app/measure/soft/calibrated_costs.h"

namespace hm::measure {

// Returns rounded costs of server processors of 2020 to 2025 at 4 GHz. They are assumed, not measured: see
// docs/cost-model.md for their sources.
[[nodiscard]] CalibratedCosts typical_costs();

}  // namespace hm::measure
