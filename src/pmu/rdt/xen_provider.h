// SPDX-License-Identifier: MIT
// Who holds the last-level caches of a machine that Xen divides: its domains, through the command xl in dom0
// (since Xen 4.5: "xl psr-cmt-attach", "-detach", "-show").
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/xl_text.h"

namespace hm::rdt {

// Its groups are of Xen's domains. Only those that nobody has attached are attached, and detached when their
// groups go; what others attached is read, and stays so. Xen does not say who attached a domain: what a
// killed process of this tool (SIGKILL) attached counts as others' from then on, and `xl psr-cmt-detach
// DOMID` gives its id back. xl tells bandwidth as a rate of its own 10 ms and no count: it is not measured
// here. kUnsupported where there is no xl; kIo where it fails (no Xen, a processor that does not monitor, no
// permission); kDamaged where what it prints is not understood.
[[nodiscard]] Result<std::unique_ptr<Provider>> open_xen();

// Those that there are now, dom0 among them. Errors as of open_xen().
[[nodiscard]] Result<std::vector<XenDomain>> xen_domains();

}  // namespace hm::rdt
