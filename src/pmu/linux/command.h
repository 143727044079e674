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

// A child process that waits until its events are open, and then executes the command. The destructor ends
// the child if it was never started.
class Command {
 public:
  // Fails with kIo if the process cannot be created.
  static Result<Command> prepare(const std::vector<std::string>& words,
                                 pmu::CommandOutput output = pmu::CommandOutput::kAsIs);

  // Executes the command. Fails with kPermission or kIo if that is not possible.
  Status go();

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Readable when the child has ended (pidfd_open(2)); may be invalid on kernels before 5.3.
  [[nodiscard]] int ended_fd() const { return ended_.get(); }
  // Exit status as a shell returns it: 128 + n if signal n ended the child; nullopt while it runs.
  std::optional<int> status();
  // CPU time of the child and of the children that it waited for (getrusage(2)); zeros while it runs.
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
  UniqueFd start_;    // a byte written to it starts the command
  UniqueFd failure_;  // yields the errno if the exec failed
  std::optional<int> status_;
  CpuTime cpu_time_;
};

}  // namespace hm::linux_pmu
