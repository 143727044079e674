// SPDX-License-Identifier: MIT
#include "host/calibration/level_sizes.h"

#include <algorithm>
#include <bit>

namespace hm::host {

std::vector<LevelSize> level_sizes(const std::vector<HostCache>& caches, uint64_t max_bytes) {
  constexpr uint64_t kTimesTheLevelBefore = 4;
  constexpr uint64_t kMinMemory = uint64_t{64} << 20, kMaxMemory = uint64_t{1} << 30;
  std::vector<LevelSize> sizes;
  uint64_t before = 0;
  for (const HostCache& cache : caches) {
    if (!cache.holds_data() || cache.size_bytes() <= before) continue;
    uint64_t half = cache.size_bytes() / 2;
    uint64_t bytes = before == 0 ? half : std::min(half, kTimesTheLevelBefore * before);
    // A level that is hardly larger than the one before has no size of its own.
    if (std::bit_floor(bytes) >= 2 * before)
      sizes.push_back({"L" + std::to_string(cache.level), std::bit_floor(bytes), cache.size_bytes()});
    before = cache.size_bytes();
  }
  uint64_t memory = std::clamp(kTimesTheLevelBefore * before, kMinMemory, kMaxMemory);
  sizes.push_back({"memory", std::bit_floor(std::min(memory, max_bytes))});
  return sizes;
}

}  // namespace hm::host
