// SPDX-License-Identifier: MIT
// The pointer chase: each load needs the value of the one before, so that their latencies add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace hm::host {

inline constexpr uint64_t kLineBytes = 64;  // x86-64: Intel SDM volume 3, "Cache Control"; AMD APM volume 2

struct alignas(kLineBytes) ChaseNode {
  ChaseNode* next;
};

// Makes `steps` dependent loads, rounded up to a multiple of kChaseUnroll. Returns where they led.
[[nodiscard]] const ChaseNode* chase(const ChaseNode* from, uint64_t steps);
inline constexpr uint64_t kChaseUnroll = 16;

// A cycle through the first lines of a memory, one node a line, each cycle equally likely: Sattolo's
// ("An algorithm to generate a random cyclic permutation", 1986), inside out, so that it can grow.
class ChaseRing {
 public:
  // The memory begins at a multiple of kLineBytes and holds at least one line.
  explicit ChaseRing(std::span<std::byte> memory);

  // To so many bytes, in whole lines and never beyond the memory; a ring does not shrink.
  void grow_to(uint64_t bytes);

  [[nodiscard]] const ChaseNode* start() const { return nodes_.data(); }
  [[nodiscard]] uint64_t size() const { return size_; }  // in nodes

 private:
  std::span<ChaseNode> nodes_;
  uint64_t size_ = 1;
  std::mt19937_64 random_;  // always the same sequence: the same ring each time
};

}  // namespace hm::host
