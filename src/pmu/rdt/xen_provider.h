// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches by Xen domain, through the command xl in dom0 (since Xen 4.5: "xl
// psr-cmt-attach", "-detach", "-show").
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/xl_text.h"

namespace hm::rdt {

// Opens the provider, whose groups consist of Xen domains. Domains that are not attached yet are attached,
// and detached when their group is destroyed. Domains attached by others are only read and stay attached. Xen
// does not report who attached a domain. A domain attached by a killed process of this tool therefore counts
// as another program's; `xl psr-cmt-detach DOMID` frees its id. Bandwidth is not measured, because xl reports
// only a rate over 10 ms, no count. Fails with kUnsupported if xl is missing, with kIo if xl fails (no Xen,
// no monitoring by the processor, no permission), and with kDamaged if its output is not understood.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_xen();

// Returns the existing domains, including dom0. Fails like open_xen().
[[nodiscard]] Result<std::vector<XenDomain>> xen_domains();

}  // namespace hm::rdt
