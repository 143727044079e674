// SPDX-License-Identifier: MIT
// Latencies of memory accesses, in core cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hm::profile {

struct Latency {
  uint64_t samples = 0;  // samples with a latency
  uint64_t total = 0;
  uint64_t median = 0, p90 = 0, p99 = 0, most = 0;  // nearest-rank percentiles
};

class Latencies {
 public:
  // 0 is the weight of accesses without a measured latency, as of software events.
  void add(std::optional<uint64_t> cycles) {
    if (cycles.value_or(0) != 0) cycles_.push_back(*cycles);
  }
  void add(const Latencies& others) {
    cycles_.insert(cycles_.end(), others.cycles_.begin(), others.cycles_.end());
  }
  // Returns nullopt if no sample has a latency.
  [[nodiscard]] std::optional<Latency> describe() const;

 private:
  std::vector<uint64_t> cycles_;
};

}  // namespace hm::profile
