// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// Measures with resctrl's monitor groups; the kernel accounts for the threads. Removes the groups of killed
// hardmeter processes. The provider and its groups must be called by one thread at a time; groups may outlive
// the provider. A thread's cache lines count for a group from the time at which it joins. Lines brought in
// earlier count for its previous group. A CPU's group counts only threads that are in no group themselves.
// Fails like Resctrl::open().
[[nodiscard]] Result<std::unique_ptr<Provider>> open_resctrl(const ResctrlPlaces& places = {});

}  // namespace hm::rdt
