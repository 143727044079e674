// SPDX-License-Identifier: MIT
#include <algorithm>

#include "pmu/rdt/resctrl_group.h"

namespace hm::rdt {
namespace {

// Returns the number of descriptors for all groups: counters in each domain, lock, and list of threads.
size_t descriptors_wanted(const Monitoring& monitoring, size_t domains) {
  size_t kinds = size_t{monitoring.occupancy} + monitoring.total_bandwidth + monitoring.local_bandwidth;
  return monitoring.ids * (domains * kinds + 2);
}

}  // namespace

ResctrlState::ResctrlState(Resctrl resctrl, const std::string& proc)
    : resctrl_(std::move(resctrl)),
      thread_places_(resctrl_, proc, [this](const std::string& group) { return is_own(group); }) {
  look_for_domains();
  budget_ = std::make_shared<DescriptorBudget>(DescriptorBudget::for_counters(
      descriptors_wanted(resctrl_.monitoring(), std::max<size_t>(domains_.size(), 1))));
}

CounterFiles ResctrlState::counters_of(const std::string& group) const {
  return {resctrl_.whole_path(group), resctrl_.monitoring(), budget_};
}

Result<OwnedFolder> ResctrlState::make_group(const std::string& control) {
  Result<OwnedFolder> folder = resctrl_.make_monitor_group(control);
  if (folder) own(*folder);
  return folder;
}

void ResctrlState::look_for_domains() {
  std::vector<uint32_t> domains;
  for (const std::string& name : folders_in(resctrl_.root() + "/mon_data")) {
    if (std::optional<uint32_t> domain = l3_domain_of(name)) domains.push_back(*domain);
  }
  std::ranges::sort(domains);
  if (domains != domains_) ++domains_version_;
  domains_ = std::move(domains);
}

uint64_t ResctrlState::domains_version() {
  if (++readings_since_look_ >= own_.size()) {
    readings_since_look_ = 0;
    look_for_domains();
  }
  return domains_version_;
}

}  // namespace hm::rdt
