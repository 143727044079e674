// SPDX-License-Identifier: MIT
// Last-level cache occupancy by logical CPU, from the processor's registers. It needs root but no resctrl.
// The results are correct for work that is pinned to CPUs.
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"

namespace hm::rdt {

// Opens the provider through libpqos, which a process can use once: fails with kUnsupported while another
// provider, or a group of an earlier provider, exists. Its groups reject threads with kUnsupported.
// If a program ended without releasing its CPUs, they stay monitored. The registers do not record the owner,
// so monitored CPUs are never taken; watch()'s error describes how to release them.
// Lines that another program's monitoring left in the cache under a reused id are counted until they are
// evicted, because an id cannot be examined before libpqos assigns it.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_pqos();

}  // namespace hm::rdt
