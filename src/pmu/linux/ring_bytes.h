// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// Returns the default size of the ring of each CPU, a power of two. Without privileges a ring counts as
// locked memory, which the kernel limits to perf_event_mlock_kb for each CPU. One page of that limit is for
// the control page (Documentation/admin-guide/sysctl/kernel.rst).
[[nodiscard]] size_t usual_ring_bytes(Kernel& kernel);

// Returns the size of a ring that holds about `samples` samples with registers, or the largest permitted
// size.
[[nodiscard]] size_t ring_bytes_for(Kernel& kernel, size_t samples);

}  // namespace hm::linux_pmu
