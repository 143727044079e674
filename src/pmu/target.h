// SPDX-License-Identifier: MIT
// The target of a measurement.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hm::pmu {

// Modes to measure. If the user chose none, modes that are not permitted are left out.
struct Modes {
  bool user = true;
  bool kernel = true;
  bool chosen = false;
};

// Destination of a command's standard output.
enum class CommandOutput : uint8_t {
  kAsIs,
  kToStandardError,
  kNowhere
};  // kNowhere also discards standard error and gives the command no input

struct Target {
  std::vector<std::string> command;  // if another target is set, too, the command only sets the duration
  CommandOutput output = CommandOutput::kAsIs;
  std::vector<pid_t> pids;   // processes with all their threads
  std::vector<pid_t> roots;  // if not empty, `pids` holds these and all their descendants so far
  std::vector<pid_t> tids;
  std::vector<int> cpus;  // everything that runs on these CPUs
  bool whole_system = false;
  std::string cgroup;  // a folder below the cgroup file system's root

  [[nodiscard]] bool by_cpu() const { return whole_system || !cpus.empty() || !cgroup.empty(); }
  [[nodiscard]] bool by_task() const { return !pids.empty() || !tids.empty(); }
  // True if the target is named processes, or the processes of a control group.
  [[nodiscard]] bool only_processes() const {
    bool are_all = tids.empty() && cpus.empty() && !whole_system;
    return are_all && pids.empty() == !cgroup.empty();
  }
  [[nodiscard]] bool only_a_command() const { return !command.empty() && !by_cpu() && !by_task(); }
};

}  // namespace hm::pmu
