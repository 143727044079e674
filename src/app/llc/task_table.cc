// SPDX-License-Identifier: MIT
#include "app/llc/task_table.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/cgroup.h"
#include "base/numbered_entries.h"
#include "base/process_stat.h"
#include "base/text_file.h"

namespace hm::llc {
namespace {

constexpr uint64_t kRereadAfter = 8;  // refreshes
constexpr pid_t kKernelThreads = 2;   // kthreadd, their parent

// Returns the text between the first and the last parenthesis.
std::string name_in(std::string_view stat) {
  size_t begin = stat.find('('), end = stat.rfind(')');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  return std::string(stat.substr(begin + 1, end - begin - 1));
}

}  // namespace

std::string TaskTable::file(pid_t process, const char* name) const {
  return proc_ + '/' + std::to_string(process) + '/' + name;
}

void TaskTable::refresh() {
  ++refreshes_;
  std::map<pid_t, Process> before = std::move(processes_);
  std::set<pid_t> passed_over = std::move(passed_over_);
  processes_.clear();
  passed_over_.clear();
  // Spreads rereading over the refreshes.
  const auto is_fresh = [&](pid_t pid) {
    return (refreshes_ + static_cast<uint64_t>(pid)) % kRereadAfter != 0;
  };
  for (pid_t pid : numbered_entries(proc_)) {
    if (auto known = before.find(pid); known != before.end() && is_fresh(pid)) {
      processes_.insert(processes_.end(), before.extract(known));
    } else if (passed_over.contains(pid) && is_fresh(pid)) {
      passed_over_.insert(pid);
    } else if (Process process; read(pid, process)) {
      processes_[pid] = std::move(process);
    } else {
      passed_over_.insert(pid);
    }
  }
}

bool TaskTable::read(pid_t pid, Process& process) const {
  std::optional<std::string> text = read_text(file(pid, "stat"));
  std::optional<ProcessStat> stat = text ? parse_process_stat(*text) : std::nullopt;
  if (!stat || stat->state == 'Z' || stat->state == 'X') return false;
  if (pid == kKernelThreads || stat->parent == kKernelThreads) return false;
  process.parent = stat->parent;
  process.name = name_in(*text);
  process.cgroup = cgroup_in(read_text(file(pid, "cgroup")).value_or(""));
  return true;
}

std::vector<pid_t> TaskTable::threads(pid_t process) const { return numbered_entries(file(process, "task")); }

std::string TaskTable::thread_name(pid_t process, pid_t thread) const {
  std::string path = file(process, "task/") + std::to_string(thread) + "/comm";
  std::string name = read_text(path).value_or("");
  if (name.ends_with('\n')) name.pop_back();
  return name;
}

std::vector<std::string> TaskTable::command_line(pid_t process) const {
  std::istringstream text(read_text(file(process, "cmdline")).value_or(""));
  std::vector<std::string> words;
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace hm::llc
