// SPDX-License-Identifier: MIT
// Forecasts the end of a program's run from an earlier recording of the same command.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "pmu/progress.h"

namespace hm::measure {

class Forecast {
 public:
  // Length of the earlier run.
  struct Run {
    uint64_t instructions = 0;
    uint64_t elapsed_ns = 0;
  };
  explicit Forecast(Run earlier) : earlier_(earlier) {}

  // Reads the length of the run from the recording at `path`. Returns nullopt if there is none, if it
  // was interrupted, or if it is of another command or not of the software PMU.
  [[nodiscard]] static std::optional<Forecast> from_recording(const std::string& path,
                                                              const std::vector<std::string>& command);

  // Sets the progress's `part` and `remaining_ns`. The time follows from the speed of the last seconds, but
  // is at most that of the earlier run: the beginning of a run may be measured more slowly than the rest.
  void complete(pmu::Progress& progress);

 private:
  struct Point {
    uint64_t elapsed_ns, instructions;
  };
  static constexpr uint64_t kWindowNs = 5'000'000'000;

  Run earlier_;
  std::deque<Point> points_;  // of the last kWindowNs
};

}  // namespace hm::measure
