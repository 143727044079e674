// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/result.h"
#include "event/selection.h"
#include "pmu/linux/intent.h"
#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// What this machine's PMUs are programmed with for what the user asked for: one event, or one for each kind
// of core. kUnsupported, kNotFound, kPermission: why it cannot be had, in one sentence.
Result<std::vector<Event>> resolve(Kernel& kernel, const event::Selection& selection, event::Use use);

// All of them, one after the other.
Result<std::vector<Event>> resolve_all(Kernel& kernel, const std::vector<event::Selection>& selections,
                                       event::Use use);

}  // namespace hm::linux_pmu
