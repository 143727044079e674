// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/program/branch_sites.h"

#include "pmu/soft/direct/runtime/give_up.h"

namespace hm::soft::direct {

uint32_t BranchSites::add(BranchSite site) {
  if (sites_.size() == 0) sites_.add({});  // number 0 means no branch yet
  uint32_t number = sites_.add(site);
  if (number == decltype(sites_)::kFull)
    do_without(LeaveReason::kTooMuchCode,
               "hardmeter: the program has more branches than the engine can hold\n");
  return number;
}

void BranchSites::read(const BranchRing& ring, BranchStack& out) const {
  out.next = 0;
  for (uint32_t age = kBranchDepth; age > 0; --age) {
    auto place = static_cast<uint8_t>(ring.next - age);
    if (ring.sites[place] == 0) continue;
    const BranchSite& site = sites_[ring.sites[place]];
    out.entries[out.next++] = {site.from, site.to != 0 ? site.to : ring.targets[place]};
  }
}

}  // namespace hm::soft::direct
