// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// Measures with resctrl's monitor groups; the kernel tracks their threads. Removes groups that killed
// processes of this tool left behind. Calls to the provider and its groups must not overlap; groups may
// outlive the provider. A thread's lines count for a group from the moment it joins. Lines that it inserted
// earlier count for its previous group. A CPU's group counts only threads that are in no other group. Errors
// as for Resctrl::open().
[[nodiscard]] Result<std::unique_ptr<Provider>> open_resctrl(const ResctrlPlaces& places = {});

}  // namespace hm::rdt
