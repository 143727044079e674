// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// Opens the first provider that works on this machine: resctrl, or libpqos if only logical CPUs are to be
// measured. An error has resctrl's code and the reason why each provider failed.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_any(const ResctrlPlaces& places, bool only_cpus);

}  // namespace hm::rdt
