// SPDX-License-Identifier: MIT
// Whose processes are: what an operator would call a service.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hm::agent {

struct Process {
  std::string service;     // "postgresql@15-main.service", "container:0123456789ab", or the process's name
  std::string executable;  // its path; empty for the kernel's threads, and where it is not known
};

// By the control group of a process, as /proc/PID/cgroup has it ("0::/system.slice/cron.service" and version
// 1's lines): the innermost systemd service in it; a container as "container:ID", the first 12 digits;
// another group's path. Empty in the root, and in what belongs to users' sessions: there a program's name
// says more.
[[nodiscard]] std::string service_of_cgroup(std::string_view proc_cgroup);

// Looks at each process once.
class Services {
 public:
  explicit Services(std::string proc = "/proc") : proc_(std::move(proc)) {}

  // `comm`: what the recording calls it.
  const Process& process(pid_t pid, const std::string& comm);

 private:
  [[nodiscard]] Process look_at(pid_t pid, const std::string& comm) const;

  std::string proc_;
  std::unordered_map<pid_t, Process> known_;
};

}  // namespace hm::agent
