// SPDX-License-Identifier: MIT
#include "base/cgroup.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/take_until.h"

namespace hm {
namespace {

void add_processes(const std::filesystem::path& folder, std::set<pid_t>& processes) {
  std::ifstream file(folder / "cgroup.procs");
  for (pid_t process = 0; file >> process;) processes.insert(process);
}

struct Runtime {
  std::string_view prefix;  // of the name of a systemd scope
  std::string_view name;
};
constexpr std::array kRuntimes{Runtime{"docker-", "docker"}, Runtime{"cri-containerd-", "containerd"},
                               Runtime{"crio-", "cri-o"}, Runtime{"libpod-", "podman"}, Runtime{"", ""}};

}  // namespace

std::string cgroup_in(std::string_view proc_cgroup) {
  std::string_view unified, systemds;
  while (!proc_cgroup.empty()) {
    std::string_view line = take_until(proc_cgroup, '\n');
    std::string_view number = take_until(line, ':'), controllers = take_until(line, ':');
    if (line.size() <= 1) continue;  // skips the root and lines without a path
    if (number == "0") unified = line;
    if (controllers == "name=systemd") systemds = line;
  }
  std::string_view found = unified.empty() ? systemds : unified;
  return found.empty() ? "/" : std::string(found);
}

std::optional<Container> container_in(std::string_view folder_name) {
  constexpr std::string_view kScope = ".scope", kHex = "0123456789abcdef";
  if (folder_name.ends_with(kScope)) folder_name.remove_suffix(kScope.size());
  for (const Runtime& each : kRuntimes) {
    if (!folder_name.starts_with(each.prefix)) continue;
    std::string_view id = folder_name.substr(each.prefix.size());
    if (id.size() == 64 && id.find_first_not_of(kHex) == std::string_view::npos)
      return Container{each.name, id};
  }
  return std::nullopt;
}

std::optional<Container> innermost_container(std::string_view path) {
  while (!path.empty()) {
    size_t slash = path.rfind('/');
    if (std::optional<Container> found = container_in(path.substr(slash + 1))) return found;
    path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
  return std::nullopt;
}

std::string cgroup_folder(std::string_view root, const std::string& name) {
  return name.starts_with('/') ? name : std::string(root) + name;
}

Error no_such_cgroup(const std::string& name, int error) {
  return make_error(ErrorCode::kNotFound, "cannot open the cgroup '{}' below {}: {}", name, kCgroupRoots[0],
                    errno_text(error));
}

// A group may be removed after it has been found and before it is read.
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
