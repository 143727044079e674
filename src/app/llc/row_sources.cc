// SPDX-License-Identifier: MIT
#include "app/llc/row_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/llc/xen_rows.h"
#include "base/cgroup_name.h"

namespace hm::llc {
namespace {

using occupancy::By;
using Processes = std::map<pid_t, const Process*>;  // points into the task table

constexpr pid_t kInit = 1;

std::string process_key(pid_t pid) { return fmt::format("process {}", pid); }

// Returns true if the process or one of its ancestors is in `some`. A recorded parent ID may belong to a
// process that has ended.
bool comes_from(pid_t pid, const std::set<pid_t>& some, const std::map<pid_t, Process>& all) {
  constexpr int kMaxGenerations = 1000;
  for (int i = 0; i < kMaxGenerations; ++i) {
    if (some.contains(pid)) return true;
    auto process = all.find(pid);
    if (process == all.end()) return false;
    pid = process->second.parent;
  }
  return false;
}

Processes chosen(const TaskTable& tasks, const std::set<pid_t>& some) {
  Processes found;
  for (const auto& [pid, process] : tasks.processes()) {
    if (some.empty() || comes_from(pid, some, tasks.processes()))
      found.emplace_hint(found.end(), pid, &process);
  }
  return found;
}

// Returns the nearest ancestor, or the process itself, that is the root of a tree: it begins a tree by
// `options`, or its parent is init or not shown.
pid_t root_of(pid_t pid, const Processes& all, const RowOptions& options) {
  const auto begins_tree = [&](pid_t each, pid_t parent) {
    return parent == options.apart_from || std::ranges::find(options.roots, each) != options.roots.end();
  };
  for (auto process = all.find(pid); process != all.end();) {
    pid_t parent = process->second->parent;
    auto above = all.find(parent);
    if (parent == kInit || parent == pid || above == all.end() || begins_tree(process->first, parent))
      return process->first;
    process = above;
  }
  return pid;
}

std::vector<WantedRow> process_rows(const Processes& all) {
  std::vector<WantedRow> rows;
  for (const auto& [pid, process] : all) {
    WantedRow row{process_key(pid), process->name, {}, pid, {pid}, {}, {}};
    if (all.contains(process->parent)) row.parent = process_key(process->parent);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<WantedRow> thread_rows(const Processes& all, const TaskTable& tasks) {
  std::vector<WantedRow> rows;
  for (const auto& [pid, process] : all) {
    for (pid_t thread : tasks.threads(pid)) {
      std::string name = tasks.thread_name(pid, thread);
      if (thread != pid && name != process->name) name = fmt::format("{} ({})", name, process->name);
      rows.push_back({fmt::format("thread {}", thread), std::move(name), {}, thread, {}, {thread}, {}});
    }
  }
  return rows;
}

std::vector<WantedRow> tree_rows(const Processes& all, const RowOptions& options) {
  std::map<pid_t, WantedRow> rows;
  for (const auto& [pid, process] : all) {
    pid_t root = root_of(pid, all, options);
    WantedRow& row = rows[root];
    row.processes.push_back(pid);
    if (pid == root) row.name = process->name;
    row.pid = root;
    row.key = fmt::format("tree {}", root);
  }
  std::vector<WantedRow> list;
  list.reserve(rows.size());
  for (auto& [root, row] : rows) list.push_back(std::move(row));
  return list;
}

std::vector<WantedRow> cgroup_rows(const Processes& all) {
  std::map<std::string, WantedRow> rows;
  for (const auto& [pid, process] : all) {
    WantedRow& row = rows[process->cgroup];
    row.processes.push_back(pid);
    if (!row.key.empty()) continue;
    row.key = "cgroup " + process->cgroup;
    row.name = cgroup_name(process->cgroup);
  }
  std::vector<WantedRow> list;
  list.reserve(rows.size());
  for (auto& [path, row] : rows) list.push_back(std::move(row));
  return list;
}

std::vector<WantedRow> vm_rows(const Processes& all, const TaskTable& tasks) {
  std::vector<WantedRow> rows;
  for (const auto& [pid, process] : all) {
    if (!process->name.starts_with("qemu") && !process->name.starts_with("kvm")) continue;
    std::string name = vm_name(tasks.command_line(pid));
    if (!name.empty()) rows.push_back({fmt::format("vm {}", pid), std::move(name), {}, pid, {pid}, {}, {}});
  }
  return rows;
}

std::vector<WantedRow> cpu_rows(const std::vector<uint32_t>& cpus) {
  std::vector<WantedRow> rows;
  for (uint32_t cpu : cpus) {
    WantedRow row;
    row.key = row.name = fmt::format("CPU {}", cpu);
    row.cpus = {cpu};
    rows.push_back(std::move(row));
  }
  return rows;
}

// Parses QEMU's -name: "web", "guest=web,debug-threads=on", "debug-threads=on,guest=web". A comma within the
// name is doubled.
std::string name_in_option(const std::string& option) {
  constexpr std::string_view kGuest = "guest=";
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < option.size(); ++i) {
    bool is_twice = option.compare(i, 2, ",,") == 0;
    if (option[i] != ',' || is_twice)
      parts.back() += option[i];
    else
      parts.emplace_back();
    if (is_twice) ++i;
  }
  for (const std::string& part : parts) {
    if (part.starts_with(kGuest)) return part.substr(kGuest.size());
  }
  return parts[0].find('=') == std::string::npos ? parts[0] : "";
}

}  // namespace

std::string vm_name(const std::vector<std::string>& command_line) {
  if (command_line.empty()) return {};
  std::string program = command_line[0].substr(command_line[0].rfind('/') + 1);
  if (!program.starts_with("qemu-system") && !program.starts_with("qemu-kvm") && program != "kvm") return {};
  for (size_t i = 1; i + 1 < command_line.size(); ++i) {
    if (command_line[i] != "-name" && command_line[i] != "--name") continue;
    if (std::string name = name_in_option(command_line[i + 1]); !name.empty()) return name;
  }
  return program;
}

WantedRows wanted_rows(const RowOptions& options, std::shared_ptr<TaskTable> tasks) {
  if (options.by == By::kCpu) return [options] { return cpu_rows(options.cpus); };
  if (options.of_xen) return xen_rows(options.xen_domains);
  std::set<pid_t> some(options.processes.begin(), options.processes.end());
  return [options, some = std::move(some), tasks = std::move(tasks)]() -> std::vector<WantedRow> {
    tasks->refresh();
    Processes all = chosen(*tasks, some);
    switch (options.by) {
      case By::kThread:
        return thread_rows(all, *tasks);
      case By::kTree:
        return tree_rows(all, options);
      case By::kCgroup:
        return cgroup_rows(all);
      case By::kVm:
        return vm_rows(all, *tasks);
      default:
        return process_rows(all);
    }
  };
}

}  // namespace hm::llc
