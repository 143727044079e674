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
  bool silent = true;  // the command's output goes nowhere
  std::string folder;  // for the recordings, which are removed again
  std::function<void(unsigned run, unsigned all, const std::string& name)> progress;
  std::function<int()> interrupts;
};

// Runs the command with nothing, with counting alone, and with samples of the kernel's clock each 1 ms, 100
// us and 10 us, without and with branch records; every way once a round, in another order each round. An
// interruption ends it with the whole rounds there are. kInvalidArgument where the command ends with another
// status under measurement.
Result<std::vector<overhead::Series>> measure_overhead(const OverheadOptions& options);

}  // namespace hm::measure
