// SPDX-License-Identifier: MIT
#include "host/latency_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/core_clock.h"

namespace hm::host {
namespace {

constexpr uint64_t kTimesTheLast = 4;
constexpr uint64_t kUsualMemory = uint64_t{256} << 20;  // if the system reports no caches
// Steps for one reading: enough for the clock, and few enough for 100 ns a step.
constexpr uint64_t kFewestLoads = 20'000, kMaxLoads = 300'000;

}  // namespace

std::vector<WatchedLevel> watched_levels(const std::vector<HostCache>& caches, uint64_t max_bytes) {
  std::vector<WatchedLevel> levels;
  uint64_t last = 0;
  for (const HostCache& cache : caches) {
    last = std::max(last, cache.size_bytes());
    if (cache.level >= 2 && cache.holds_data())
      levels.push_back({fmt::format("L{}", cache.level), std::min(cache.size_bytes() / 2, max_bytes), true});
  }
  uint64_t memory = std::min(last == 0 ? kUsualMemory : kTimesTheLast * last, max_bytes);
  if (memory >= 2 * last) levels.push_back({"memory", memory});
  return levels;
}

Result<LatencyWatch> LatencyWatch::begin(const std::vector<WatchedLevel>& levels) {
  LatencyWatch watch;
  for (const WatchedLevel& level : levels) {
    Result<PageBuffer> memory = PageBuffer::map(std::max(level.bytes, kLineBytes), PageKind::kHuge);
    if (!memory) return memory.error();
    ChaseRing ring(memory->bytes());
    ring.grow_to(level.bytes);
    const ChaseNode* start = ring.start();
    watch.levels_.push_back({*std::move(memory), ring, start, level.is_cache});
  }
  return watch;
}

std::vector<double> LatencyWatch::read() {
  std::vector<double> ns;
  for (Watched& each : levels_) {
    uint64_t steps = std::clamp(each.ring.size(), kFewestLoads, kMaxLoads);
    const ChaseNode* start = each.at;
    chase_on(each.at, steps);
    if (each.is_cache) each.at = start;  // the same lines again
    uint64_t began = now_ns();
    uint64_t loads = chase_on(each.at, steps);
    ns.push_back(static_cast<double>(now_ns() - began) / static_cast<double>(loads));
  }
  return ns;
}

}  // namespace hm::host
