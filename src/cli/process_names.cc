// SPDX-License-Identifier: MIT
#include "cli/process_names.h"

#include <fmt/format.h>

#include "base/text_file.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

// Returns the number alone if the process does not exist.
std::string process_name(int pid) {
  std::string comm = read_text(fmt::format("/proc/{}/comm", pid)).value_or("");
  while (comm.ends_with('\n')) comm.pop_back();
  return comm.empty() ? std::to_string(pid) : fmt::format("{} ({})", text::printable(comm), pid);
}

}  // namespace

std::string target_names(const TargetFlags& target) {
  const std::vector<int>& all = target.pids.empty() ? target.tids : target.pids;
  if (all.empty()) return target.cgroup.empty() ? "" : "group " + text::printable(target.cgroup);
  std::string first = process_name(all.front());
  return all.size() == 1 ? first
                         : fmt::format("{} and {}", first, text::count_of(all.size() - 1, "other", "others"));
}

}  // namespace hm::cli
