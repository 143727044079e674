// SPDX-License-Identifier: MIT
// Repeated readings of latencies, as rows of text.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "host/latency_watch.h"

namespace hm::text {

class LatencyRows {
 public:
  explicit LatencyRows(std::vector<host::WatchedLevel> levels)
      : levels_(std::move(levels)), readings_(levels_.size()) {}

  // What is measured, and the columns' titles.
  [[nodiscard]] std::string head(int cpu) const;
  // A reading: nanoseconds for one load of each level, and the ratio to the level's least time so far.
  std::string row(std::time_t when, const std::vector<double>& ns);
  // How the levels varied, one line each; empty without readings.
  [[nodiscard]] std::string conclusion() const;

 private:
  std::vector<host::WatchedLevel> levels_;
  std::vector<std::vector<double>> readings_;  // by level
};

}  // namespace hm::text
