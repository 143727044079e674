// SPDX-License-Identifier: MIT
// What to measure.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hm::pmu {

// Which modes to measure. Where the user named none, what is not permitted is left out.
struct Modes {
  bool user = true;
  bool kernel = true;
  bool chosen = false;
};

struct Target {
  std::vector<std::string> command;  // may come with each of the others but pids and tids
  bool silent = false;               // the command's output goes nowhere
  std::vector<pid_t> pids;           // processes with all their threads
  std::vector<pid_t> tids;
  std::vector<int> cpus;  // everything that runs there
  bool whole_system = false;
  std::string cgroup;  // a folder below the cgroup file system's root

  [[nodiscard]] bool by_cpu() const { return whole_system || !cpus.empty() || !cgroup.empty(); }
  [[nodiscard]] bool only_a_command() const {
    return !command.empty() && !by_cpu() && pids.empty() && tids.empty();
  }
};

}  // namespace hm::pmu
