// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_time.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "pmu/target.h"

namespace hm::linux_pmu {

// A child process that waits until its events are open, and then executes the command. If it was never
// started, the destructor ends it.
class Command {
 public:
  // Fails with kIo if no process can be created.
  static Result<Command> prepare(const std::vector<std::string>& words,
                                 pmu::CommandOutput output = pmu::CommandOutput::kAsIs,
                                 const std::string& output_file = {});

  // Fails with kPermission if the command cannot be executed, or with kIo.
  Status go();

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Becomes readable when the command ends (pidfd_open(2)). Invalid on kernels before 5.3.
  [[nodiscard]] int ended_fd() const { return ended_.get(); }
  // Returns the exit status as a shell does: 128 + n if signal n ended the command. Nullopt while it runs.
  std::optional<int> status();
  // CPU time of the command and of the children it waited for (getrusage(2)). Zeros while it runs.
  [[nodiscard]] CpuTime cpu_time() const { return cpu_time_; }
  void terminate();

 private:
  Command(std::string name, pid_t pid, UniqueFd ended, UniqueFd start, UniqueFd failure)
      : name_(std::move(name)),
        pid_(pid),
        ended_(std::move(ended)),
        start_(std::move(start)),
        failure_(std::move(failure)) {}

  std::string name_;
  pid_t pid_;
  UniqueFd ended_;
  UniqueFd start_;    // a byte starts the command
  UniqueFd failure_;  // receives errno if the exec fails
  std::optional<int> status_;
  CpuTime cpu_time_;
};

}  // namespace hm::linux_pmu
