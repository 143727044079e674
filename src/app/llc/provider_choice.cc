// SPDX-License-Identifier: MIT
#include "app/llc/provider_choice.h"

#include "pmu/rdt/any_provider.h"
#include "pmu/rdt/pqos_provider.h"
#include "pmu/rdt/resctrl_provider.h"
#include "pmu/rdt/xen_provider.h"

namespace hm::llc {

Result<std::unique_ptr<rdt::Provider>> open_provider(const ProviderOptions& options) {
  if (options.source == SourceChoice::kPqos) return rdt::open_pqos();
  if (options.source == SourceChoice::kXen) return rdt::open_xen();
  rdt::ResctrlPlaces places;
  if (!options.resctrl_root.empty()) places.root = options.resctrl_root;
  if (options.source == SourceChoice::kResctrl) return rdt::open_resctrl(places);
  Result<std::unique_ptr<rdt::Provider>> any = rdt::open_any(places, options.by_cpu);
  if (any) return any;
  return make_error(
      any.error().code,
      "last-level cache occupancy cannot be measured here ({}); `hardmeter llc -- PROGRAM ... , PROGRAM ...` models it for programs that it starts",
      any.error().message);
}

}  // namespace hm::llc
