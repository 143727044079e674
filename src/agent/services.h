// SPDX-License-Identifier: MIT
// Maps processes to services, in the sense of an operator.
#pragma once

#include <sys/types.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "app/containers.h"

namespace hm::agent {

struct Process {
  std::string service;     // "postgresql@15-main.service", a container, or the process's name
  std::string executable;  // path; empty for kernel threads and if unknown
};

// Inspects each process once. Kernel threads belong to the service "[kernel]".
class Services {
 public:
  // `root` is the root of the file system.
  explicit Services(const std::string& root = "") : proc_(root + "/proc"), containers_(root) {}

  // `comm` is the name in the recording.
  const Process& process(pid_t pid, const std::string& comm);
  // Returns the service of a process from the path of its control group: the innermost container, else the
  // innermost systemd service, else the path. For the root group and groups of user sessions it returns the
  // process's name, which is more useful there.
  [[nodiscard]] std::string of_cgroup(const std::string& path, const std::string& name);
  // Returns all processes that currently belong to the service.
  [[nodiscard]] std::vector<pid_t> processes_of(const std::string& service);

 private:
  [[nodiscard]] Process look_at(pid_t pid, const std::string& comm);

  std::string proc_;
  app::Containers containers_;
  std::unordered_map<pid_t, Process> known_;
};

}  // namespace hm::agent
