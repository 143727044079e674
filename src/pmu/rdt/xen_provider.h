// SPDX-License-Identifier: MIT
// Last-level cache occupancy on a machine that runs Xen: its domains, through the command xl in dom0 (since
// Xen 4.5: "xl psr-cmt-attach", "-detach", "-show").
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/xl_text.h"

namespace hm::rdt {

// Opens the provider; its groups consist of Xen domains. It attaches only domains that are not attached, and
// detaches them when their groups end. Domains that other programs attached are read and stay attached.
// Xen does not record who attached a domain. A domain attached by a killed process of this tool (SIGKILL)
// therefore counts as another program's; `xl psr-cmt-detach DOMID` releases its id.
// xl reports bandwidth as a rate over 10 ms and not as a count, so bandwidth is not measured.
// Fails with kUnsupported if there is no xl, kIo if xl fails (no Xen, no monitoring, no permission), and
// kDamaged if its output is not understood.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_xen();

// Returns the current domains, including dom0. Errors as for open_xen().
[[nodiscard]] Result<std::vector<XenDomain>> xen_domains();

}  // namespace hm::rdt
