// SPDX-License-Identifier: MIT
// Latencies of sampled accesses, in core cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hm::profile {

struct Latency {
  uint64_t samples = 0;  // samples with a latency
  uint64_t total = 0;    // cycles, summed over these samples
  // Nearest-rank percentiles of all events: each sample has the weight of its period.
  uint64_t median = 0, p90 = 0, p99 = 0, most = 0;
  double estimated = 0;  // cycles of all events: each sample's times its period
};

class Latencies {
 public:
  // Adds a sample that stands for `period` events. A latency of 0 means that the access was not timed, as in
  // samples of software events.
  void add(std::optional<uint64_t> cycles, std::optional<uint64_t> period = std::nullopt) {
    if (cycles.value_or(0) != 0) timed_.push_back({*cycles, period.value_or(1)});
  }
  void add(const Latencies& others) {
    timed_.insert(timed_.end(), others.timed_.begin(), others.timed_.end());
  }
  // Returns nullopt if no sample has a latency.
  [[nodiscard]] std::optional<Latency> describe() const;

 private:
  struct Timed {
    uint64_t cycles, period;
  };
  std::vector<Timed> timed_;
};

}  // namespace hm::profile
