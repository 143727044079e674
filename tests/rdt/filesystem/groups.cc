// SPDX-License-Identifier: MIT
#include "rdt/filesystem/groups.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace hm::resctrl_filesystem {
namespace {

void take_out(std::set<uint32_t>& from, const std::set<uint32_t>& cpus) {
  for (uint32_t cpu : cpus) from.erase(cpu);
}

bool has_all(const std::set<uint32_t>& set, const std::set<uint32_t>& cpus) {
  return std::ranges::includes(set, cpus);
}

}  // namespace

Groups::Groups(const Processor& processor) : processor_(processor) {
  long count = ::sysconf(_SC_NPROCESSORS_ONLN);
  for (long cpu = 0; cpu < count; ++cpu) online_cpus_.insert(static_cast<uint32_t>(cpu));
  Group& root = add("", "");
  root.control = root.id;
  root.cpus = online_cpus_;
  for (uint32_t domain = 0; domain < processor_.domains; ++domain)
    root.ways_of[domain] = (1U << processor_.ways) - 1;
}

Group* Groups::at(const std::string& path) {
  auto found = ids_.find(path);
  return found == ids_.end() ? nullptr : by_id(found->second);
}

Group* Groups::by_id(GroupId id) {
  auto found = groups_.find(id);
  return found == groups_.end() ? nullptr : &found->second;
}

std::vector<Group*> Groups::controls() {
  std::vector<Group*> found;
  for (auto& [id, group] : groups_) {
    if (group.is_control()) found.push_back(&group);
  }
  return found;
}

std::vector<Group*> Groups::monitors_of(GroupId control) {
  std::vector<Group*> found;
  for (auto& [id, group] : groups_) {
    if (group.control == control && !group.is_control()) found.push_back(&group);
  }
  return found;
}

Group& Groups::add(const std::string& path, const std::string& name) {
  Group& group = groups_[++made_];
  group.id = made_;
  group.path = path;
  group.name = name;
  group.made = std::chrono::steady_clock::now();
  ids_[path] = group.id;
  return group;
}

int Groups::take_monitoring_id(size_t ids_in_limbo) {
  size_t free = processor_.monitoring_ids - std::min(processor_.monitoring_ids, groups_.size());
  if (free > ids_in_limbo) return 0;
  status = "Out of RMIDs\n";
  return free == 0 ? -ENOSPC : -EBUSY;
}

int Groups::make_control(const std::string& name, size_t ids_in_limbo) {
  if (at(name) != nullptr) return -EEXIST;
  if (controls().size() >= processor_.control_ids) {
    status = "Out of CLOSIDs\n";
    return -ENOSPC;
  }
  if (int error = take_monitoring_id(ids_in_limbo); error != 0) return error;
  Group& group = add(name, name);
  group.control = group.id;
  group.ways_of = by_id(kRootId)->ways_of;
  for (auto& [domain, ways] : group.ways_of) ways = (1U << processor_.ways) - 1;
  return 0;
}

int Groups::make_monitor(Group& control, const std::string& name, size_t ids_in_limbo) {
  std::string path = (control.path.empty() ? "" : control.path + '/') + "mon_groups/" + name;
  if (at(path) != nullptr) return -EEXIST;
  if (int error = take_monitoring_id(ids_in_limbo); error != 0) return error;
  add(path, name).control = control.id;
  return 0;
}

void Groups::remove(GroupId id) {
  Group group = *by_id(id);
  if (group.is_control()) {
    for (const Group* monitor : monitors_of(id)) {
      ids_.erase(monitor->path);
      groups_.erase(GroupId{monitor->id});
    }
    by_id(kRootId)->cpus.insert(group.cpus.begin(), group.cpus.end());
  }
  ids_.erase(group.path);
  groups_.erase(id);
}

int Groups::set_cpus_of_monitor(Group& group, const std::set<uint32_t>& cpus) {
  if (!has_all(by_id(group.control)->cpus, cpus)) {
    status = "Can only add CPUs to mongroup that belong to parent\n";
    return -EINVAL;
  }
  for (Group* other : monitors_of(group.control)) take_out(other->cpus, cpus);
  group.cpus = cpus;
  return 0;
}

int Groups::set_cpus_of_control(Group& group, const std::set<uint32_t>& cpus) {
  Group& root = *by_id(kRootId);
  if (group.id == kRootId && !has_all(cpus, group.cpus)) {
    status = "Can't drop CPUs from default group\n";
    return -EINVAL;
  }
  std::set<uint32_t> dropped = group.cpus, added = cpus;
  take_out(dropped, cpus);
  take_out(added, group.cpus);
  root.cpus.insert(dropped.begin(), dropped.end());
  for (auto& [id, other] : groups_) {
    if (other.control == group.id)
      take_out(other.cpus, dropped);
    else
      take_out(other.cpus, added);
  }
  group.cpus = cpus;
  return 0;
}

int Groups::set_cpus(Group& group, const std::set<uint32_t>& cpus) {
  if (!has_all(online_cpus_, cpus)) {
    status = "Can only assign online CPUs\n";
    return -EINVAL;
  }
  return group.is_control() ? set_cpus_of_control(group, cpus) : set_cpus_of_monitor(group, cpus);
}

}  // namespace hm::resctrl_filesystem
