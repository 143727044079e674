// SPDX-License-Identifier: MIT
#include "profile/latencies.h"

#include <algorithm>
#include <array>

namespace hm::profile {

std::optional<Latency> Latencies::describe() const {
  if (timed_.empty()) return std::nullopt;
  std::vector<Timed> order = timed_;
  std::ranges::sort(order, {}, &Timed::cycles);
  double events = 0;
  for (const Timed& each : order) events += static_cast<double>(each.period);

  constexpr std::array kRanks{0.5, 0.9, 0.99};
  std::array<uint64_t, kRanks.size()> at_rank{};
  Latency latency{.samples = order.size(), .most = order.back().cycles};
  double up_to = 0;
  size_t rank = 0;
  for (const Timed& each : order) {
    up_to += static_cast<double>(each.period);
    latency.estimated += static_cast<double>(each.cycles) * static_cast<double>(each.period);
    while (rank < kRanks.size() && up_to >= kRanks[rank] * events) at_rank[rank++] = each.cycles;
    latency.total = each.cycles > UINT64_MAX - latency.total ? UINT64_MAX : latency.total + each.cycles;
  }
  latency.median = at_rank[0];
  latency.p90 = at_rank[1];
  latency.p99 = at_rank[2];
  return latency;
}

}  // namespace hm::profile
