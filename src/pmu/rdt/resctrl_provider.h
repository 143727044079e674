// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// Measures with monitor groups of resctrl, which the kernel follows the threads with. Removes what killed
// processes of this tool left there. One thread at a time calls the provider or its groups; groups may
// outlive it. A thread's lines count for a group from when it is in it: those that it brought into the cache
// before count for the group where it was. A CPU's group has what threads do there that are in no group.
// Errors as of Resctrl::open().
[[nodiscard]] Result<std::unique_ptr<Provider>> open_resctrl(const ResctrlPlaces& places = {});

}  // namespace hm::rdt
