// SPDX-License-Identifier: MIT
#include "app/llc/xen_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "pmu/rdt/xen_provider.h"

namespace hm::llc {
namespace {

WantedRow xen_row(const rdt::XenDomain& domain) {
  WantedRow row;
  row.key = fmt::format("xen {}", domain.id);
  row.name = domain.name.empty() ? fmt::format("domain {}", domain.id) : domain.name;
  row.xen_domains = {domain.id};
  return row;
}

}  // namespace

WantedRows xen_rows(std::vector<uint32_t> wanted) {
  return [wanted = std::move(wanted), rows = std::vector<WantedRow>()]() mutable {
    Result<std::vector<rdt::XenDomain>> domains = rdt::xen_domains();
    if (!domains) return rows;
    rows.clear();
    for (const rdt::XenDomain& each : *domains) {
      if (wanted.empty() || std::ranges::find(wanted, each.id) != wanted.end()) rows.push_back(xen_row(each));
    }
    return rows;
  };
}

}  // namespace hm::llc
