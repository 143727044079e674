// SPDX-License-Identifier: MIT
// Measures what things cost on this machine, by timing alone.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "host/calibration/machine_profile.h"

namespace hm::host {

struct CalibrationProgress {
  size_t done = 0;  // number of parts
  size_t all = 0;
  std::string part;  // current part: "L2"
};

struct CalibrationOptions {
  std::optional<int> cpu;                              // default: the current CPU of this thread
  std::function<int()> interrupts = [] { return 0; };  // ends the measurement if it returns non-zero
  std::function<void(const CalibrationProgress&)> progress = [](const CalibrationProgress&) {};
};

// Pins the calling thread to the CPU permanently. Needs memory of twice the size of the memory level
// (level_sizes()). Returns nullopt if interrupted. Fails with kInvalidArgument if the thread may not run on
// that CPU, with kIo if there is no memory, with kUnsupported if the processor is not known.
[[nodiscard]] Result<std::optional<MachineProfile>> calibrate(const CalibrationOptions& options);

}  // namespace hm::host
