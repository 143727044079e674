// SPDX-License-Identifier: MIT
// What to measure.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hm::pmu {

// Which modes to measure. Where the user named none, what is not permitted is left out.
struct Modes {
  bool user = true;
  bool kernel = true;
  bool chosen = false;
};

// Where what a command writes to standard output goes.
enum class CommandOutput : uint8_t {
  kAsIs,
  kToStandardError,
  kNowhere
};  // kNowhere: its errors, too, and it reads nothing

struct Target {
  std::vector<std::string> command;  // beside one of the others it only says how long
  CommandOutput output = CommandOutput::kAsIs;
  std::vector<pid_t> pids;   // processes with all their threads
  std::vector<pid_t> roots;  // where not empty, `pids` are these and all that they have started so far
  std::vector<pid_t> tids;
  std::vector<int> cpus;  // everything that runs there
  bool whole_system = false;
  std::string cgroup;  // a folder below the cgroup file system's root

  [[nodiscard]] bool by_cpu() const { return whole_system || !cpus.empty() || !cgroup.empty(); }
  [[nodiscard]] bool by_task() const { return !pids.empty() || !tids.empty(); }
  // Named, or those of a control group.
  [[nodiscard]] bool only_processes() const {
    bool are_all = tids.empty() && cpus.empty() && !whole_system;
    return are_all && pids.empty() == !cgroup.empty();
  }
  [[nodiscard]] bool only_a_command() const { return !command.empty() && !by_cpu() && !by_task(); }
};

}  // namespace hm::pmu
