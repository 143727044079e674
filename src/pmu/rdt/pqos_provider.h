// SPDX-License-Identifier: MIT
// Who holds the last-level caches, by logical CPU, from the processor's registers: needs root and no resctrl,
// and is right where work is pinned to CPUs.
#pragma once

#include <memory>

#include "base/result.h"
#include "pmu/rdt/provider.h"

namespace hm::rdt {

// Through libpqos, of which a process has one: kUnsupported where another of these is, or was and has groups.
// From its groups, threads are kUnsupported. Where a program ended without giving its CPUs back, they stay
// monitored: the registers do not say by whom, so nobody else's are taken, and watch() says how to. Lines
// that another program's monitoring left in the cache under an id that libpqos gives again are counted, until
// others push them out: no id can be asked about before it is given.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_pqos();

}  // namespace hm::rdt
