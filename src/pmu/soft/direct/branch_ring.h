// SPDX-License-Identifier: MIT
// The branches that copied code has taken. It writes only the number of the branch's site; the table of sites
// has its addresses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"

namespace hm::soft::direct {

struct BranchSite {
  uint64_t from;
  uint64_t to;  // 0: an indirect branch, whose target is in the ring
};

// The number of a new site. For one thread at a time: g_translation.
uint32_t add_branch_site(BranchSite site);

// The last branches of the core's thread.
void read_branches(const BranchRing& ring, BranchStack& out);

}  // namespace hm::soft::direct
