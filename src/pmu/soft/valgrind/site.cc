// SPDX-License-Identifier: GPL-2.0-or-later
#include "site.h"

#include "valgrind_api.h"

namespace hm::soft::vg {
namespace {

// Never an address of code: user space ends at 2^47.
constexpr uint64_t kFirstTarget = uint64_t{0x5173} << 48;
constexpr uint32_t kMaxSites = 8192;
Site g_sites[kMaxSites];
uint32_t g_site_count = 0;

}  // namespace

void forget_sites() { g_site_count = 0; }

uint64_t add_site(const Site& site) {
  if (g_site_count == kMaxSites) {
    static char message[] = "hardmeter: a block of code has more accesses than a block can have";
    VG_(tool_panic)(message);
  }
  g_sites[g_site_count] = site;
  return kFirstTarget + g_site_count++;
}

const Site* site_of(uint64_t target) {
  uint64_t index = target - kFirstTarget;
  return index < g_site_count ? &g_sites[index] : nullptr;
}

}  // namespace hm::soft::vg
