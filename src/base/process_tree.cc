// SPDX-License-Identifier: MIT
#include "base/process_tree.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "base/numbered_entries.h"
#include "base/process_stat.h"
#include "base/text_file.h"

namespace hm {
namespace {

// Returns nullopt if the process has ended, also if it ends between the open and the read (ESRCH).
std::optional<ProcessStat> stat_in(const std::string& folder) {
  std::optional<std::string> text = read_text(folder + "/stat");
  return text ? parse_process_stat(*text) : std::nullopt;
}

// Returns true for a zombie, which has no running thread left. The state of a process whose first thread
// alone has ended is also Z.
bool has_ended(const std::string& folder, const ProcessStat& stat) {
  if (stat.state != 'Z' && stat.state != 'X') return false;
  return numbered_entries(folder + "/task").size() <= 1;
}

}  // namespace

std::vector<pid_t> with_descendants(const std::vector<pid_t>& pids, const std::string& proc) {
  std::multimap<pid_t, pid_t> children;  // by parent
  std::set<pid_t> alive;
  for (pid_t pid : numbered_entries(proc)) {
    std::string folder = proc + "/" + std::to_string(pid);
    std::optional<ProcessStat> stat = stat_in(folder);
    if (!stat || has_ended(folder, *stat)) continue;
    alive.insert(pid);
    children.emplace(stat->parent, pid);
  }
  std::set<pid_t> found;
  std::vector<pid_t> next = pids;
  while (!next.empty()) {
    pid_t pid = next.back();
    next.pop_back();
    if (!alive.contains(pid) || !found.insert(pid).second) continue;
    auto [begin, end] = children.equal_range(pid);
    std::transform(begin, end, std::back_inserter(next), [](const auto& each) { return each.second; });
  }
  return {found.begin(), found.end()};
}

}  // namespace hm
