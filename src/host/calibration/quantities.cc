// SPDX-License-Identifier: MIT
#include "host/calibration/quantities.h"

namespace hm::host {

std::vector<std::string> unsteady_quantities(const MachineProfile& profile) {
  std::vector<std::string> names;
  for_each_quantity(profile, [&](const std::string& name, const Estimate& estimate) {
    if (!is_steady(estimate)) names.push_back(name);
  });
  return names;
}

}  // namespace hm::host
