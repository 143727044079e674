// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// What measures a real cache here, found by use: resctrl, else, where only logical CPUs are to be measured,
// libpqos. An error has resctrl's code, and says of each why it cannot.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_any(const ResctrlPlaces& places, bool only_cpus);

}  // namespace hm::rdt
