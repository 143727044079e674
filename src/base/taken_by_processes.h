// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

namespace hm {

// Sums how much of a growing quantity, for example CPU time, processes have used since the construction of
// this object. Processes that have ended are included. `kRead` reads the quantity for one process and returns
// zero if the process does not exist. `kGrowth` returns the difference of two readings, or zero if the second
// is smaller.
template <typename Amount, Amount (*kRead)(pid_t), Amount (*kGrowth)(const Amount&, const Amount&)>
class TakenByProcesses {
 public:
  TakenByProcesses() = default;
  explicit TakenByProcesses(const std::vector<pid_t>& processes) {
    for (pid_t process : processes) add(process);
  }

  // Adds a process that ran before; only its growth from now on is counted.
  void add(pid_t process) { readings_[process] = kRead(process); }

  // `processes` are those that exist now. A process that was never added is taken to have started since the
  // construction.
  Amount taken(const std::vector<pid_t>& processes) {
    for (pid_t process : processes) {
      Amount& reading = readings_[process];
      Amount more = kGrowth(reading, kRead(process));
      reading += more;
      taken_ += more;
    }
    return taken_;
  }

 private:
  std::map<pid_t, Amount> readings_;  // last reading of each process
  Amount taken_{};
};

}  // namespace hm
