// SPDX-License-Identifier: MIT
// The control groups and namespaces of the recorded processes (cgroups(7), namespaces(7)). perf's records of
// them need privileges or a field in each sample, so they are in the run description.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "record/features.h"

namespace hm::record {

struct Isolation {
  std::string cgroup;     // path in its hierarchy: "/system.slice/cron.service"; empty if unknown
  std::string container;  // its name on the recorder's machine; empty if it has none
  std::map<std::string, uint64_t> namespaces{};  // inode by kind, as in /proc/PID/ns: {"mnt", 4026531841}

  bool operator==(const Isolation&) const = default;
  bool operator<(const Isolation& other) const {
    return std::tie(cgroup, container, namespaces) <
           std::tie(other.cgroup, other.container, other.namespaces);
  }
};

// Processes by their isolation. A process that was moved has the one that was read last.
using IsolatedProcesses = std::map<Isolation, std::vector<uint32_t>>;

// Returns the run description with these processes.
[[nodiscard]] std::string with_isolation(const std::string& run, const IsolatedProcesses& processes);

// Returns the processes in the run description; invalid parts are left out.
[[nodiscard]] IsolatedProcesses isolated_processes(const Features& features);

}  // namespace hm::record
