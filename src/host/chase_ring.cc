// SPDX-License-Identifier: MIT
#include "host/chase_ring.h"

#include <algorithm>

namespace hm::host {

const ChaseNode* chase(const ChaseNode* from, uint64_t steps) {
  const ChaseNode* at = from;
  for (uint64_t done = 0; done < steps; done += kChaseUnroll) {
#pragma GCC unroll 16
    for (uint64_t i = 0; i < kChaseUnroll; ++i) at = at->next;
    asm volatile("" : "+r"(at));  // keeps the loads, whose results are unused
  }
  return at;
}

uint64_t chase_on(const ChaseNode*& at, uint64_t steps) {
  at = chase(at, steps);
  return (steps + kChaseUnroll - 1) / kChaseUnroll * kChaseUnroll;
}

ChaseRing::ChaseRing(std::span<std::byte> memory)
    : nodes_(reinterpret_cast<ChaseNode*>(memory.data()), memory.size() / kLineBytes) {
  nodes_[0].next = nodes_.data();
}

void ChaseRing::grow_to(uint64_t bytes) {
  uint64_t target = std::min<uint64_t>(bytes / kLineBytes, nodes_.size());
  for (; size_ < target; ++size_) {
    ChaseNode& before = nodes_[std::uniform_int_distribution<uint64_t>(0, size_ - 1)(random_)];
    nodes_[size_].next = before.next;
    before.next = &nodes_[size_];
  }
}

}  // namespace hm::host
