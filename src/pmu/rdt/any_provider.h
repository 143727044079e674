// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// Returns a provider for this machine's real caches, found by trial: resctrl, or libpqos if resctrl fails and
// only logical CPUs are to be measured. An error has resctrl's code and gives the reason of each provider.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_any(const ResctrlPlaces& places, bool only_cpus);

}  // namespace hm::rdt
