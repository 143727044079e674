// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/overhead/overhead.h"
#include "base/result.h"

namespace hm::measure {

struct OverheadOptions {
  std::vector<std::string> command;
  unsigned rounds = 5;
  // Of the kernel's clock, as parse_period() reads them. Every 10 us is not among them, as a virtual machine
  // may then need 20 times the program's time.
  std::vector<std::string> intervals{"1ms", "100us"};
  bool silent = true;  // the command's output goes nowhere
  std::string folder;  // for the recordings, which are removed again
  std::function<void(unsigned run, unsigned all, const std::string& name)> progress;
  std::function<int()> interrupts;
};

// Runs the command with nothing, with counting alone, with samples of the kernel's clock at each interval,
// without and with branch records, under the software PMU, exactly and in bursts, and with the software PMU
// attached within a budget of 5 %; every way once a round, in another order each round. An interruption ends
// it with the whole rounds there are. A way that cannot measure here has no runs but an obstacle.
// kInvalidArgument if the command ends with another status under measurement.
Result<std::vector<overhead::Series>> measure_overhead(const OverheadOptions& options);

}  // namespace hm::measure
