// SPDX-License-Identifier: MIT
// Costs of modelled events on a calibrated machine.
#pragma once

#include <string>

#include "base/result.h"
#include "host/calibration/machine_profile.h"
#include "model/cost/costs.h"

namespace hm::measure {

struct CalibratedCosts {
  model::Costs costs;
  std::string description;  // of the machine and of what is estimated, one sentence
  double ghz = 0;           // clock frequency of the core
  bool built_in = false;    // of no machine that was measured: typical_costs.h
};

// Converts the profile into costs beyond those of an access that hits the first level. What the profile does
// not have, such as translations on a machine without huge pages, is assumed as in model::Latencies.
[[nodiscard]] CalibratedCosts calibrated_costs(const host::MachineProfile& profile);

// `as`: "host", the user's saved profile, or the path of a profile. Fails with kNotFound if there is none,
// with kDamaged if it cannot be read.
[[nodiscard]] Result<CalibratedCosts> find_calibrated_costs(const std::string& as);

}  // namespace hm::measure
