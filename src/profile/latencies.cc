// SPDX-License-Identifier: MIT
#include "profile/latencies.h"

#include <algorithm>
#include <cmath>

namespace hm::profile {

std::optional<Latency> Latencies::describe() const {
  if (cycles_.empty()) return std::nullopt;
  std::vector<uint64_t> order = cycles_;
  std::ranges::sort(order);
  auto at = [&](double part) {
    auto rank = static_cast<size_t>(std::ceil(part * static_cast<double>(order.size())));
    return order[std::max<size_t>(rank, 1) - 1];
  };
  Latency latency{
      .samples = order.size(), .median = at(0.5), .p90 = at(0.9), .p99 = at(0.99), .most = order.back()};
  for (uint64_t cycles : order)
    latency.total = cycles > UINT64_MAX - latency.total ? UINT64_MAX : latency.total + cycles;
  return latency;
}

}  // namespace hm::profile
