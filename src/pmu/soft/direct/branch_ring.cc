// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/branch_ring.h"

#include "pmu/soft/direct/give_up.h"
#include "pmu/soft/direct/memory.h"

namespace hm::soft::direct {
namespace {

constinit StableArray<BranchSite> g_sites;

}  // namespace

uint32_t add_branch_site(BranchSite site) {
  if (g_sites.size() == 0) g_sites.add({});  // number 0: no branch yet
  uint32_t number = g_sites.add(site);
  if (number == decltype(g_sites)::kFull)
    give_up("hardmeter: the program has more branches than the engine can hold\n");
  return number;
}

void read_branches(const BranchRing& ring, BranchStack& out) {
  out.next = 0;
  for (uint32_t age = kBranchDepth; age > 0; --age) {
    auto place = static_cast<uint8_t>(ring.next - age);
    if (ring.sites[place] == 0) continue;
    const BranchSite& site = g_sites[ring.sites[place]];
    out.entries[out.next++] = {site.from, site.to != 0 ? site.to : ring.targets[place]};
  }
}

}  // namespace hm::soft::direct
