// SPDX-License-Identifier: MIT
#include "host/calibration/chains.h"

#include <algorithm>
#include <cstdlib>

namespace hm::host {
namespace {

// Loads of one chase between two tests of the loop's end.
constexpr uint64_t kLoadsPerRound = 16;

template <uint32_t kCount>
void run_chases(std::vector<const ChaseNode*>& all, uint64_t rounds) {
  std::array<const ChaseNode*, kCount> at;
  std::copy(all.begin(), all.end(), at.begin());
  for (uint64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (uint64_t load = 0; load < kLoadsPerRound; ++load) {
#pragma GCC unroll 32
      for (uint32_t chain = 0; chain < kCount; ++chain) at[chain] = at[chain]->next;
    }
    asm volatile("" : : "r"(at.data()) : "memory");  // keeps the loads, whose results are unused
  }
  std::copy(at.begin(), at.end(), all.begin());
}

}  // namespace

Chains::Chains(const ChaseRing& ring, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) at_.push_back(ring.start() + ring.size() * (2 * i + 1) / (2 * count));
}

uint64_t Chains::run(uint64_t loads) {
  uint64_t rounds = loads / (at_.size() * kLoadsPerRound) + 1;
  switch (at_.size()) {
    case 1:
      run_chases<1>(at_, rounds);
      break;
    case 2:
      run_chases<2>(at_, rounds);
      break;
    case 4:
      run_chases<4>(at_, rounds);
      break;
    case 8:
      run_chases<8>(at_, rounds);
      break;
    case 16:
      run_chases<16>(at_, rounds);
      break;
    default:
      run_chases<32>(at_, rounds);
  }
  return rounds * kLoadsPerRound * at_.size();
}

StrideWalk::StrideWalk(std::span<std::byte> memory, int64_t stride_bytes, uint32_t streams) {
  // An odd number of lines, so that streams do not meet in the same sets of a cache.
  uint64_t part = ((memory.size() / kLineBytes / streams - 1) | 1) * kLineBytes;
  auto stride = static_cast<uint64_t>(std::abs(stride_bytes));
  uint64_t steps = part / stride - 1, laps = stride / kLineBytes;
  // A lap uses the lines beside those of the lap before, so that no line is used again for long.
  const auto node = [&](uint64_t number) {
    uint64_t step = number / streams % (steps * laps);
    uint64_t place = stride_bytes > 0 ? step % steps : steps - 1 - step % steps;
    uint64_t in_part = place * stride + step / steps * kLineBytes;
    return reinterpret_cast<ChaseNode*>(memory.data() + number % streams * part + in_part);
  };
  uint64_t nodes = steps * laps * streams;
  for (uint64_t number = 0; number < nodes; ++number) node(number)->next = node(number + 1);
  at_ = node(0);
}

uint64_t StrideWalk::run(uint64_t loads) { return chase_on(at_, loads); }

}  // namespace hm::host
