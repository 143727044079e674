// SPDX-License-Identifier: MIT
#include "rdt/filesystem/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "pmu/rdt/resctrl.h"

namespace hm::resctrl_filesystem {
namespace {

using Kind = Node::Kind;

const std::vector<std::string> kCounterNames{"llc_occupancy", "mbm_total_bytes", "mbm_local_bytes"};
const std::vector<std::string> kFilesOfAll{"cpus", "cpus_list", "tasks"};
const std::vector<std::string> kFilesOfControls{"mode", "schemata", "size"};

const std::map<std::string, std::vector<std::string>>& info_folders() {
  static const std::map<std::string, std::vector<std::string>> kFolders{
      {"info", {"L3", "L3_MON", "last_cmd_status"}},
      {"info/L3", {"bit_usage", "cbm_mask", "min_cbm_bits", "num_closids", "shareable_bits"}},
      {"info/L3_MON", {"max_threshold_occupancy", "mon_features", "num_rmids"}}};
  return kFolders;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Splits "a/b/c" into "a" and "b/c".
std::pair<std::string, std::string> first_and_rest(const std::string& path) {
  size_t slash = path.find('/');
  return {path.substr(0, slash), slash == path.npos ? "" : path.substr(slash + 1)};
}

std::pair<std::string, std::string> folder_and_name(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? std::pair{std::string(), path}
                            : std::pair{path.substr(0, slash), path.substr(slash + 1)};
}

std::string name_of_domain(uint32_t domain) { return fmt::format("mon_L3_{:02}", domain); }

Node info_node(const std::string& path) {
  if (info_folders().contains(path)) return {.kind = Kind::kInfo, .name = path};
  auto [folder, name] = folder_and_name(path);
  auto found = info_folders().find(folder);
  bool is_file = found != info_folders().end() && has(found->second, name);
  return is_file ? Node{.kind = Kind::kInfoFile, .name = path} : Node{};
}

Node proc_node(const std::string& rest) {
  auto [thread, file] = first_and_rest(rest);
  if (!thread.empty() && !Threads::exists(std::atoi(thread.c_str()))) return {};
  if (file.empty()) return {.kind = Kind::kProc};
  return file == "cpu_resctrl_groups" ? Node{.kind = Kind::kProcFile, .name = thread} : Node{};
}

}  // namespace

std::vector<uint32_t> Tree::domains() {
  std::vector<uint32_t> online;
  for (uint32_t domain = 0; domain < groups_.processor().domains; ++domain) {
    if (counters_.is_online(domain)) online.push_back(domain);
  }
  return online;
}

Node Tree::node_in_data(const Group& group, const std::string& rest) {
  if (rest.empty()) return {.kind = Kind::kData, .group = group.id};
  auto [folder, counter] = first_and_rest(rest);
  for (uint32_t domain : domains()) {
    if (folder != name_of_domain(domain)) continue;
    if (counter.empty()) return {.kind = Kind::kDomain, .group = group.id, .domain = domain};
    if (has(kCounterNames, counter))
      return {.kind = Kind::kCounter, .group = group.id, .domain = domain, .name = counter};
  }
  return {};
}

Node Tree::node_in_group(const Group& group, const std::string& rest) {
  if (rest.empty()) return {.kind = Kind::kGroup, .group = group.id};
  auto [name, below] = first_and_rest(rest);
  if (name == "mon_data") return node_in_data(group, below);
  if (group.is_control() && name == "mon_groups") {
    if (below.empty()) return {.kind = Kind::kMonitors, .group = group.id};
    auto [monitor, in_it] = first_and_rest(below);
    const Group* found = groups_.at((group.path.empty() ? "" : group.path + '/') + "mon_groups/" + monitor);
    return found == nullptr ? Node{} : node_in_group(*found, in_it);
  }
  bool is_file = has(kFilesOfAll, rest) || (group.is_control() && has(kFilesOfControls, rest));
  return is_file ? Node{.kind = Kind::kGroupFile, .group = group.id, .name = rest} : Node{};
}

Node Tree::node_at(const std::string& path) {
  auto [first, rest] = first_and_rest(path);
  if (first == "info") return info_node(path);
  if (first == ".proc") return proc_node(rest);
  if (first != "mon_groups") {
    if (const Group* control = groups_.at(first); control != nullptr && !first.empty())
      return node_in_group(*control, rest);
  }
  return node_in_group(*groups_.by_id(kRootId), path);
}

std::vector<std::string> Tree::names_in(const Node& folder) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  if (folder.kind == Kind::kInfo) return info_folders().at(folder.name);
  if (folder.kind == Kind::kDomain) return kCounterNames;
  if (folder.kind == Kind::kProc) return {};
  if (folder.kind == Kind::kData) {
    for (uint32_t domain : domains()) names.push_back(name_of_domain(domain));
  } else if (folder.kind == Kind::kMonitors) {
    for (const Group* monitor : groups_.monitors_of(folder.group)) names.push_back(monitor->name);
  } else if (const Group* group = groups_.by_id(folder.group)) {
    add(kFilesOfAll);
    add({"mon_data"});
    if (group->is_control()) add(kFilesOfControls), add({"mon_groups"});
    if (group->id != kRootId) return names;
    add({"info"});
    for (const Group* control : groups_.controls()) {
      if (control->id != kRootId) names.push_back(control->name);
    }
  }
  return names;
}

int Tree::make_folder(const std::string& path) {
  auto [folder, name] = folder_and_name(path);
  if (name.find('\n') != name.npos) return -EINVAL;
  groups_.status = "ok\n";
  Node parent = node_at(folder);
  if (parent.kind == Kind::kMonitors)
    return groups_.make_monitor(*groups_.by_id(parent.group), name, counters_.ids_in_limbo());
  if (folder.empty()) return groups_.make_control(name, counters_.ids_in_limbo());
  return -EPERM;
}

int Tree::remove_folder(const std::string& path) {
  Node node = node_at(path);
  if (node.kind != Kind::kGroup || node.group == kRootId) return -EPERM;
  groups_.status = "ok\n";
  threads_.leave(*groups_.by_id(node.group));
  groups_.remove(node.group);
  return 0;
}

}  // namespace hm::resctrl_filesystem
