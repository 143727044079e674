// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/result.h"
#include "event/selection.h"
#include "pmu/linux/intent.h"
#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// Resolves a selection to the events that this machine's PMUs are programmed with: one event, or one for each
// kind of core. Fails with kUnsupported, kNotFound or kPermission, with a sentence that gives the reason.
Result<std::vector<Event>> resolve(Kernel& kernel, const event::Selection& selection, event::Use use);

// Resolves all selections, in order.
Result<std::vector<Event>> resolve_all(Kernel& kernel, const std::vector<event::Selection>& selections,
                                       event::Use use);

}  // namespace hm::linux_pmu
