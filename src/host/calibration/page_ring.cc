// SPDX-License-Identifier: MIT
#include "host/calibration/page_ring.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace hm::host {

PageRing::PageRing(std::span<std::byte> memory, uint32_t pages) {
  constexpr uint64_t kPageBytes = 4096, kLinesPerPage = kPageBytes / kLineBytes;
  std::vector<uint32_t> order(pages);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, std::mt19937(1));
  const auto node = [&](uint32_t place) {
    uint64_t page = order[place % pages];
    return reinterpret_cast<ChaseNode*>(memory.data() + page * kPageBytes +
                                        page % kLinesPerPage * kLineBytes);
  };
  for (uint32_t i = 0; i < pages; ++i) node(i)->next = node(i + 1);
  at_ = node(0);
}

uint64_t PageRing::run(uint64_t loads) { return chase_on(at_, loads); }

}  // namespace hm::host
