// SPDX-License-Identifier: MIT
// The target of a measurement.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hm::pmu {

// The modes to measure. If the user chose none, modes without permission are left out.
struct Modes {
  bool user = true;
  bool kernel = true;
  bool chosen = false;
};

// Destination of a command's standard output.
enum class CommandOutput : uint8_t {
  kAsIs,
  kToStandardError,
  kNowhere,  // /dev/null; also standard error and standard input
  kToFile    // a new file, also for standard error; standard input is /dev/null
};

struct Target {
  // Command to run. In addition to another target, it only determines the duration.
  std::vector<std::string> command;
  CommandOutput output = CommandOutput::kAsIs;
  std::string output_file;  // for kToFile
  std::vector<pid_t> pids;  // processes with all their threads
  // If not empty, `pids` contains these processes and their present descendants.
  std::vector<pid_t> roots;
  std::vector<pid_t> tids;
  std::vector<int> cpus;  // everything that runs on these CPUs
  bool whole_system = false;
  std::string cgroup;  // path relative to the root of the cgroup file system

  [[nodiscard]] bool by_cpu() const { return whole_system || !cpus.empty() || !cgroup.empty(); }
  [[nodiscard]] bool by_task() const { return !pids.empty() || !tids.empty(); }
  // True if the target consists of processes only: given by id, or all those of one control group.
  [[nodiscard]] bool only_processes() const {
    bool are_all = tids.empty() && cpus.empty() && !whole_system;
    return are_all && pids.empty() == !cgroup.empty();
  }
  [[nodiscard]] bool only_a_command() const { return !command.empty() && !by_cpu() && !by_task(); }
};

}  // namespace hm::pmu
