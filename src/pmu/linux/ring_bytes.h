// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "pmu/linux/kernel.h"

namespace hm::linux_pmu {

// Returns the default data size of each CPU's ring: a power of two. Without privileges a ring is locked
// memory. The kernel permits perf_event_mlock_kb of it per CPU, including one page for the control page
// (Documentation/admin-guide/sysctl/kernel.rst).
[[nodiscard]] size_t usual_ring_bytes(Kernel& kernel);

// Returns the ring size that holds about `samples` samples with registers between two reads, within that
// limit.
[[nodiscard]] size_t ring_bytes_for(Kernel& kernel, size_t samples);

}  // namespace hm::linux_pmu
