// SPDX-License-Identifier: MIT
#include "base/cgroup.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>

namespace hm {
namespace {

void add_processes(const std::filesystem::path& folder, std::set<pid_t>& processes) {
  std::ifstream file(folder / "cgroup.procs");
  for (pid_t process = 0; file >> process;) processes.insert(process);
}

}  // namespace

std::string cgroup_folder(std::string_view root, const std::string& name) {
  return name.starts_with('/') ? name : std::string(root) + name;
}

Error no_such_cgroup(const std::string& name, int error) {
  return make_error(ErrorCode::kNotFound, "cannot open the cgroup '{}' below {}: {}", name, kCgroupRoots[0],
                    errno_text(error));
}

// A group may be gone between being found and being read.
Result<std::vector<pid_t>> processes_in_cgroup(const std::string& name) {
  for (std::string_view root : kCgroupRoots) {
    std::filesystem::path folder = cgroup_folder(root, name);
    std::error_code error;
    if (!std::filesystem::exists(folder / "cgroup.procs", error)) continue;
    std::set<pid_t> processes;
    add_processes(folder, processes);
    for (auto each = std::filesystem::recursive_directory_iterator(folder, error);
         !error && each != std::filesystem::recursive_directory_iterator(); each.increment(error)) {
      if (each->is_directory(error)) add_processes(each->path(), processes);
    }
    return std::vector<pid_t>(processes.begin(), processes.end());
  }
  return no_such_cgroup(name, ENOENT);
}

}  // namespace hm
