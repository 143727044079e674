// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/overhead/overhead_costs.h"
#include "base/result.h"

namespace hm::measure {

struct OverheadOptions {
  std::vector<std::string> command;
  unsigned rounds = 5;
  // Intervals of the kernel's clock, in the format of parse_period(). 10 us is not a default, because in a
  // virtual machine the program may then take 20 times as long.
  std::vector<std::string> intervals{"1ms", "100us"};
  bool silent = true;  // discard the command's output
  std::string folder;  // folder for temporary recordings
  std::function<void(unsigned run, unsigned all, const std::string& name)> progress;
  std::function<int()> interrupts;
};

// Runs the command in several configurations: without measurement, with counting, and with samples of the
// kernel's clock at each interval, without and with branch records. Also under the software PMU, exactly and
// in bursts, and with the software PMU attached within a budget of 5 %. Each round runs every configuration
// once, in a different order. An interruption returns the complete rounds so far. A configuration that cannot
// run here has an obstacle instead of runs. Fails with kInvalidArgument if the command's exit status differs
// under measurement.
Result<std::vector<overhead::Series>> measure_overhead(const OverheadOptions& options);

}  // namespace hm::measure
