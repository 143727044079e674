// SPDX-License-Identifier: MIT
#include "agent/services.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/cgroup.h"
#include "base/numbered_entries.h"
#include "base/take_until.h"
#include "base/text_file.h"

namespace hm::agent {
namespace {

constexpr std::string_view kKernel = "[kernel]";

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    if (std::string_view part = take_until(path, '/'); !part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::string Services::of_cgroup(const std::string& path, const std::string& name) {
  std::vector<std::string_view> parts = parts_of(path);
  if (std::optional<Container> container = innermost_container(path)) {
    const std::string& known = containers_.name(container->id);
    return known.empty() ? fmt::format("container:{}", container->id.substr(0, kShownOfContainerId)) : known;
  }
  bool is_users = !parts.empty() && parts.front() == "user.slice";
  for (auto part = parts.rbegin(); part != parts.rend() && !is_users; ++part) {
    if (part->ends_with(".service")) return std::string(*part);
  }
  bool is_plain = is_users || parts.empty() || parts == std::vector<std::string_view>{"init.scope"};
  return is_plain ? name : path;
}

const Process& Services::process(pid_t pid, const std::string& comm) {
  auto [found, is_new] = known_.try_emplace(pid);
  if (is_new) found->second = look_at(pid, comm);
  return found->second;
}

std::vector<pid_t> Services::processes_of(const std::string& service) {
  std::vector<pid_t> pids;
  for (pid_t pid : numbered_entries(proc_)) {
    std::string comm = read_text(fmt::format("{}/{}/comm", proc_, pid)).value_or("");
    if (comm.ends_with('\n')) comm.pop_back();
    if (process(pid, comm).service == service) pids.push_back(pid);
  }
  return pids;
}

Process Services::look_at(pid_t pid, const std::string& comm) {
  std::string folder = fmt::format("{}/{}", proc_, pid);
  std::error_code error;
  Process process;
  process.executable = std::filesystem::read_symlink(folder + "/exe", error).string();
  // Kernel threads have an unreadable exe link and an empty command line.
  if (error && ::access(folder.c_str(), F_OK) == 0 && read_text(folder + "/cmdline").value_or("-").empty()) {
    process.service = kKernel;
    return process;
  }
  process.service = of_cgroup(cgroup_in(read_text(folder + "/cgroup").value_or("")), comm);
  return process;
}

}  // namespace hm::agent
