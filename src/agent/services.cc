// SPDX-License-Identifier: MIT
#include "agent/services.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/take_until.h"
#include "base/text_file.h"

namespace hm::agent {
namespace {

constexpr std::string_view kKernel = "[kernel]";
constexpr size_t kContainerId = 64, kShownOfId = 12;  // hex digits

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    if (std::string_view part = take_until(text, separator); !part.empty()) parts.push_back(part);
  }
  return parts;
}

// Of "docker-ID.scope", "cri-containerd-ID.scope", "ID"; empty where there is none.
std::string_view container_in(std::string_view part) {
  if (part.ends_with(".scope")) part.remove_suffix(6);
  size_t dash = part.rfind('-');
  if (dash != std::string_view::npos) part.remove_prefix(dash + 1);
  bool is_id =
      part.size() == kContainerId && part.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_id ? part : std::string_view();
}

// Of the line of version 2, else of systemd's own or the first of version 1.
std::string_view path_in(std::string_view proc_cgroup) {
  std::string_view path;
  for (std::string_view line : parts_of(proc_cgroup, '\n')) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    std::string_view controllers = line.substr(first + 1, second - first - 1),
                     found = line.substr(second + 1);
    if (path.empty() || ((controllers.empty() || controllers == "name=systemd") && found != "/"))
      path = found;
  }
  return path;
}

}  // namespace

std::string service_of_cgroup(std::string_view proc_cgroup) {
  std::string_view path = path_in(proc_cgroup);
  std::vector<std::string_view> parts = parts_of(path, '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (std::string_view id = container_in(*part); !id.empty())
      return fmt::format("container:{}", id.substr(0, kShownOfId));
  }
  bool is_users = !parts.empty() && parts.front() == "user.slice";
  for (auto part = parts.rbegin(); part != parts.rend() && !is_users; ++part) {
    if (part->ends_with(".service")) return std::string(*part);
  }
  bool is_plain = is_users || parts.empty() || parts == std::vector<std::string_view>{"init.scope"};
  return is_plain ? std::string() : std::string(path);
}

const Process& Services::process(pid_t pid, const std::string& comm) {
  auto [found, is_new] = known_.try_emplace(pid);
  if (is_new) found->second = look_at(pid, comm);
  return found->second;
}

Process Services::look_at(pid_t pid, const std::string& comm) const {
  std::string folder = fmt::format("{}/{}", proc_, pid);
  std::error_code error;
  Process process;
  process.executable = std::filesystem::read_symlink(folder + "/exe", error).string();
  // Threads of the kernel have a link that leads nowhere, and no memory of their own.
  if (error && std::filesystem::exists(folder) && read_text(folder + "/cmdline").value_or("-").empty()) {
    process.service = kKernel;
    return process;
  }
  process.service = service_of_cgroup(read_text(folder + "/cgroup").value_or(""));
  if (process.service.empty()) process.service = comm;
  return process;
}

}  // namespace hm::agent
