// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// Of the ring of each CPU, where the user says nothing: a power of two. Without privileges a ring is locked
// memory, of which the kernel gives each CPU perf_event_mlock_kb, one page of it for the control page
// (Documentation/admin-guide/sysctl/kernel.rst).
[[nodiscard]] size_t usual_ring_bytes(Kernel& kernel);

// Likewise for about so many samples with registers that nobody takes meanwhile, as far as it is permitted.
[[nodiscard]] size_t ring_bytes_for(Kernel& kernel, size_t samples);

}  // namespace hm::linux_pmu
