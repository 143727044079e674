// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches by logical CPU, from the processor's registers. Needs root, but no
// resctrl. The occupancy is that of a program only if the program is pinned to CPUs.
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"

namespace hm::rdt {

// Opens the provider. libpqos allows only one at a time in a process: fails with kUnsupported if another
// provider, or a group of an earlier one, still exists. Its groups reject threads with kUnsupported. If a
// program ended without releasing its CPUs, they stay monitored. The registers do not show the owner, so
// monitored CPUs are left alone, and watch() fails with the command that releases them. Lines from another
// program's monitoring under a reused id are counted until they are evicted. The id is known only after
// libpqos has assigned it, so they cannot be checked before.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_pqos();

}  // namespace hm::rdt
