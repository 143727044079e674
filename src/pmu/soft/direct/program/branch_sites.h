// SPDX-License-Identifier: MIT
// The branches that copied code has taken. It writes only the number of the branch's site; the table of sites
// has its addresses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {

struct BranchSite {
  uint64_t from;
  uint64_t to;  // 0: an indirect branch, whose target is in the ring
};

class BranchSites {
 public:
  // The number of a new site. For one thread at a time.
  uint32_t add(BranchSite site);

  // The last branches of the core's thread.
  void read(const BranchRing& ring, BranchStack& out) const;

 private:
  StableArray<BranchSite> sites_;
};

}  // namespace hm::soft::direct
