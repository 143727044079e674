// SPDX-License-Identifier: MIT
// The branches that copied code has taken. Copied code records only the number of a branch site; the table of
// sites has the addresses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {

struct BranchSite {
  uint64_t from;
  uint64_t to;  // 0: an indirect branch, with its target in the ring
};

class BranchSites {
 public:
  // Adds a site and returns its number. One thread at a time.
  uint32_t add(BranchSite site);

  // Writes the last branches of the core's thread to `out`.
  void read(const BranchRing& ring, BranchStack& out) const;

 private:
  StableArray<BranchSite> sites_;
};

}  // namespace hm::soft::direct
