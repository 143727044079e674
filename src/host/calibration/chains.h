// SPDX-License-Identifier: MIT
// Dependent loads: several independent chases at the same time, and walks at a constant distance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/chase_ring.h"

namespace hm::host {

inline constexpr std::array<uint32_t, 6> kChainCounts{1, 2, 4, 8, 16, 32};

// Several chases through one ring. Each load depends on the previous one of its own chase only.
class Chains {
 public:
  // `count` must be one of kChainCounts. The chases begin evenly spaced in memory, and so at random distances
  // in the ring.
  Chains(const ChaseRing& ring, uint32_t count);

  // Executes at least `loads` loads in all chases together, and returns their number.
  uint64_t run(uint64_t loads);

 private:
  std::vector<const ChaseNode*> at_;
};

// Links nodes at a constant distance into a cycle, so that each load needs the previous one, and only a
// prefetcher can know the addresses earlier. Several streams walk through equal parts of the memory in turns.
class StrideWalk {
 public:
  // The memory must be aligned to kLineBytes, and each stream's part must have room for three steps. The
  // distance must be a multiple of kLineBytes; if negative, walks go downwards.
  StrideWalk(std::span<std::byte> memory, int64_t stride_bytes, uint32_t streams);

  // Executes at least `loads` loads, and returns their number.
  uint64_t run(uint64_t loads);

 private:
  const ChaseNode* at_;
};

}  // namespace hm::host
