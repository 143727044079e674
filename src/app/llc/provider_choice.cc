// SPDX-License-Identifier: MIT
#include "app/llc/provider_choice.h"

#include "pmu/rdt/pqos_provider.h"
#include "pmu/rdt/resctrl_provider.h"

namespace hm::llc {
namespace {

Result<std::unique_ptr<rdt::Provider>> open_resctrl(const ProviderOptions& options) {
  rdt::ResctrlPlaces places;
  if (!options.resctrl_root.empty()) places.root = options.resctrl_root;
  return rdt::open_resctrl(places);
}

}  // namespace

Result<std::unique_ptr<rdt::Provider>> open_provider(const ProviderOptions& options) {
  if (options.source == SourceChoice::kPqos) return rdt::open_pqos();
  Result<std::unique_ptr<rdt::Provider>> resctrl = open_resctrl(options);
  if (resctrl || options.source == SourceChoice::kResctrl) return resctrl;
  std::string why = resctrl.error().message;
  if (options.by_cpu) {
    Result<std::unique_ptr<rdt::Provider>> pqos = rdt::open_pqos();
    if (pqos) return pqos;
    why += "; " + pqos.error().message;
  }
  return make_error(resctrl.error().code,
                    "nothing here tells who holds the last-level cache ({}); of programs that it starts, "
                    "`hardmeter llc -- PROGRAM ... , PROGRAM ...` models it",
                    why);
}

}  // namespace hm::llc
