// SPDX-License-Identifier: MIT
// Whose processes are: what an operator would call a service.
#pragma once

#include <sys/types.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "agent/containers.h"

namespace hm::agent {

struct Process {
  std::string service;     // "postgresql@15-main.service", a container, or the process's name
  std::string executable;  // its path; empty for the kernel's threads, and where it is not known
};

// Looks at each process once. The kernel's threads are a service, "[kernel]".
class Services {
 public:
  // `root`: of the file system.
  explicit Services(const std::string& root = "") : proc_(root + "/proc"), containers_(root) {}

  // `comm`: what the recording calls it.
  const Process& process(pid_t pid, const std::string& comm);
  // Of a process of that name in the control group with this path: its container, the innermost; else the
  // innermost systemd service; else the path. In the root, and in what belongs to users' sessions, the name,
  // which says more there.
  [[nodiscard]] std::string of_cgroup(const std::string& path, const std::string& name);
  // All that run now and belong to it.
  [[nodiscard]] std::vector<pid_t> processes_of(const std::string& service);

 private:
  [[nodiscard]] Process look_at(pid_t pid, const std::string& comm);

  std::string proc_;
  Containers containers_;
  std::unordered_map<pid_t, Process> known_;
};

}  // namespace hm::agent
