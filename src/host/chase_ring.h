// SPDX-License-Identifier: MIT
// Pointer chase: each load depends on the previous one, so that their latencies add up.
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

// Executes `steps` dependent loads, rounded up to a multiple of kChaseUnroll. Returns the final node.
[[nodiscard]] const ChaseNode* chase(const ChaseNode* from, uint64_t steps);
inline constexpr uint64_t kChaseUnroll = 16;

// Continues a chase from `at`, which becomes its end. Returns the number of loads: `steps`, rounded up.
uint64_t chase_on(const ChaseNode*& at, uint64_t steps);

// A random cycle through the first lines of a memory, with one node per line. All cycles are equally likely:
// Sattolo's algorithm ("An algorithm to generate a random cyclic permutation", 1986), inside out, so that it
// can grow.
class ChaseRing {
 public:
  // The memory must be aligned to kLineBytes and hold at least one line.
  explicit ChaseRing(std::span<std::byte> memory);

  // Grows the ring to `bytes`, in whole lines and at most to the size of the memory. A ring does not shrink.
  void grow_to(uint64_t bytes);

  [[nodiscard]] const ChaseNode* start() const { return nodes_.data(); }
  [[nodiscard]] uint64_t size() const { return size_; }  // in nodes

 private:
  std::span<ChaseNode> nodes_;
  uint64_t size_ = 1;
  std::mt19937_64 random_;  // default seed, so that the ring is the same each time
};

}  // namespace hm::host
