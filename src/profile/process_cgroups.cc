// SPDX-License-Identifier: MIT
#include "profile/process_cgroups.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/cgroup.h"
#include "base/cgroup_name.h"
#include "record/isolation.h"

namespace hm::profile {
namespace {

bool begins_container_id(std::string_view wanted, std::string_view path) {
  std::optional<Container> container = innermost_container(path);
  return container && wanted.size() >= kShownOfContainerId && container->id.starts_with(wanted);
}

}  // namespace

ProcessCgroups::ProcessCgroups(const record::Features& features) {
  for (const auto& [isolation, pids] : record::isolated_processes(features)) {
    if (isolation.cgroup.empty()) continue;
    std::string name = isolation.container.empty() ? cgroup_name(isolation.cgroup) : isolation.container;
    for (uint32_t pid : pids) groups_[pid] = {isolation.cgroup, name};
  }
}

const std::string& ProcessCgroups::of(uint32_t pid) const {
  static const std::string unknown = "[unknown]";
  auto group = groups_.find(pid);
  return group == groups_.end() ? unknown : group->second.name;
}

bool ProcessCgroups::is_in(const std::string& wanted, uint32_t pid) const {
  auto found = groups_.find(pid);
  if (found == groups_.end()) return false;
  const auto& [path, name] = found->second;
  bool is_below = wanted.starts_with('/') && path.starts_with(wanted) && path[wanted.size()] == '/';
  return wanted == name || wanted == path || is_below || begins_container_id(wanted, path);
}

}  // namespace hm::profile
