// SPDX-License-Identifier: MIT
#include "pmu/rdt/any_provider.h"

#include "pmu/rdt/pqos_provider.h"
#include "pmu/rdt/resctrl_provider.h"

namespace hm::rdt {

Result<std::unique_ptr<Provider>> open_any(const ResctrlPlaces& places, bool only_cpus) {
  Result<std::unique_ptr<Provider>> resctrl = open_resctrl(places);
  if (resctrl || !only_cpus) return resctrl;
  Result<std::unique_ptr<Provider>> pqos = open_pqos();
  if (pqos) return pqos;
  return make_error(resctrl.error().code, "{}; {}", resctrl.error().message, pqos.error().message);
}

}  // namespace hm::rdt
