// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "pmu/rdt/resctrl.h"
#include "rdt/filesystem/schemata.h"
#include "rdt/filesystem/tree.h"

namespace hm::resctrl_filesystem {
namespace {

using Kind = Node::Kind;

std::string lines_of(const std::vector<pid_t>& threads) {
  std::string text;
  for (pid_t thread : threads) text += std::to_string(thread) + '\n';
  return text;
}

std::string bit_usage_text(const std::vector<uint32_t>& domains, unsigned ways) {
  std::string text;
  for (uint32_t domain : domains)
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", domain, std::string(ways, 'S'));
  return text + '\n';
}

}  // namespace

std::string Tree::group_file_text(const Group& group, const std::string& name) {
  if (name == "tasks") return lines_of(threads_.in(group));
  if (name == "cpus") return cpu_mask_text(group.cpus, groups_.online_cpus().size());
  if (name == "cpus_list") return cpu_list_text(group.cpus);
  if (name == "mode") return "shareable\n";
  if (name == "size") return size_text(group, domains(), groups_.processor());
  return schemata_text(group, domains(), groups_.processor());
}

std::string Tree::info_file_text(const std::string& name) {
  const Processor& processor = groups_.processor();
  if (name == "info/last_cmd_status") return groups_.status;
  if (name == "info/L3/bit_usage") return bit_usage_text(domains(), processor.ways);
  if (name == "info/L3/cbm_mask") return fmt::format("{:x}\n", (1U << processor.ways) - 1);
  if (name == "info/L3/min_cbm_bits") return "1\n";
  if (name == "info/L3/num_closids") return fmt::format("{}\n", processor.control_ids);
  if (name == "info/L3/shareable_bits") return "0\n";
  if (name == "info/L3_MON/num_rmids") return fmt::format("{}\n", processor.monitoring_ids);
  if (name == "info/L3_MON/mon_features") return "llc_occupancy\nmbm_total_bytes\nmbm_local_bytes\n";
  return fmt::format("{}\n", threshold_bytes_);
}

std::string Tree::proc_file_text(pid_t thread) {
  ThreadGroups groups = threads_.groups_of(thread);
  const Group* control = groups_.by_id(groups.control);
  const Group* monitor = groups_.by_id(groups.monitor);
  return fmt::format("res:{}\nmon:{}\n", control->id == kRootId ? "/" : control->name,
                     monitor == nullptr ? "" : monitor->name);
}

bool Tree::is_written(const Node& file) const {
  if (file.kind == Kind::kInfoFile) return file.name == "info/L3_MON/max_threshold_occupancy";
  return file.kind == Kind::kGroupFile && file.name != "size";
}

int Tree::read(const Node& file, std::string& text) {
  if (file.kind == Kind::kInfoFile) return text = info_file_text(file.name), 0;
  if (file.kind == Kind::kProcFile) return text = proc_file_text(std::atoi(file.name.c_str())), 0;
  const Group* group = groups_.by_id(file.group);
  if (group == nullptr) return -ENODEV;
  if (file.kind == Kind::kGroupFile) return text = group_file_text(*group, file.name), 0;
  if (!counters_.is_online(file.domain)) return -ENODEV;
  text = counters_.text(groups_, *group, file.domain, file.name);
  return 0;
}

int Tree::move_thread(const Group& group, pid_t thread) {
  if (!Threads::exists(thread)) {
    groups_.status = fmt::format("No task {}\n", thread);
    return -ESRCH;
  }
  if (!group.is_control() && threads_.groups_of(thread).control != group.control) {
    groups_.status = "Can't move task to different control group\n";
    return -EINVAL;
  }
  threads_.move(thread, {group.control, group.is_control() ? 0 : group.id});
  return 0;
}

int Tree::write_threads(const Group& group, const std::string& text, pid_t caller) {
  std::istringstream words(text.substr(0, text.find('\n')));
  for (std::string word; std::getline(words, word, ',');) {
    char* end = nullptr;
    long thread = std::strtol(word.c_str(), &end, 0);
    while (*end == ' ') ++end;
    if (end == word.c_str() || *end != '\0' || thread < 0) {
      groups_.status = fmt::format("Task list parsing error pid {}\n", word);
      return -EINVAL;
    }
    pid_t moved = thread == 0 ? caller : static_cast<pid_t>(thread);
    if (int error = move_thread(group, moved); error != 0) return error;
  }
  return 0;
}

int Tree::write_mode(const std::string& text) {
  if (text == "shareable\n") return 0;
  groups_.status = "Unknown or unsupported mode\n";
  return -EINVAL;
}

int Tree::write_group_file(Group& group, const std::string& name, const std::string& text, pid_t caller) {
  if (name == "tasks") return write_threads(group, text, caller);
  if (name == "mode") return write_mode(text);
  if (name == "schemata") return set_schemata(group, text, domains(), groups_.processor(), groups_.status);
  std::set<uint32_t> cpus;
  bool parsed = name == "cpus" ? parse_cpu_mask(text, cpus) : parse_cpus_of_list(text, cpus);
  if (parsed) return groups_.set_cpus(group, cpus);
  groups_.status = "Bad CPU list/mask\n";
  return -EINVAL;
}

int Tree::write(const Node& file, const std::string& text, pid_t caller) {
  if (!is_written(file)) return -EACCES;
  groups_.status = "ok\n";
  if (file.kind == Kind::kInfoFile) {
    std::optional<uint64_t> bytes = rdt::parse_number(text);
    if (!bytes) return -EINVAL;
    threshold_bytes_ = *bytes;
    return 0;
  }
  Group* group = groups_.by_id(file.group);
  return group == nullptr ? -ENODEV : write_group_file(*group, file.name, text, caller);
}

}  // namespace hm::resctrl_filesystem
