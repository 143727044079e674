// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

namespace hm {

// Sum of what processes have taken of something that only grows, such as CPU time, since this was made,
// including processes that have ended. `kRead` reads one process, and gives zero if there is none;
// `kGrowth` gives the difference of two readings, or zero if the second is the smaller one.
template <typename Amount, Amount (*kRead)(pid_t), Amount (*kGrowth)(const Amount&, const Amount&)>
class TakenByProcesses {
 public:
  TakenByProcesses() = default;
  explicit TakenByProcesses(const std::vector<pid_t>& processes) {
    for (pid_t process : processes) add(process);
  }

  // The process has run before.
  void add(pid_t process) { readings_[process] = kRead(process); }

  // `processes`: these now. What is new among them has been made since.
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
  std::map<pid_t, Amount> readings_;  // the last of each
  Amount taken_{};
};

}  // namespace hm
