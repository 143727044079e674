// SPDX-License-Identifier: MIT
// Which system calls wait for nobody: a thread that does one goes on keeping pace with the others
// (schedule/pace.h), which wait for it even where the host takes its CPU away meanwhile. Of calls that are
// not known here it is supposed that they wait.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

bool waits_for_nobody(const Context& context, uint64_t number);

}  // namespace hm::soft::direct
