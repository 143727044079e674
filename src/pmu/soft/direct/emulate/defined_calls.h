// SPDX-License-Identifier: MIT
// System calls whose result depends on the machine, in reproducible runs.
#pragma once

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Executes such a call. Returns false for other calls, which the kernel executes.
bool run_defined_call(Thread& thread, uint64_t number, int64_t& result);

}  // namespace hm::soft::direct
