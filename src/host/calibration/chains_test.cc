// SPDX-License-Identifier: MIT
#include "host/calibration/chains.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

#include "host/calibration/page_ring.h"
#include "host/page_buffer.h"

namespace hm::host {
namespace {

PageBuffer buffer_of(uint64_t bytes) {
  Result<PageBuffer> buffer = PageBuffer::map(bytes, PageKind::kSmall);
  EXPECT_TRUE(buffer.ok());
  return *std::move(buffer);
}

// Follows the cycle that begins at the first node of the memory.
std::vector<const std::byte*> cycle_of(const PageBuffer& buffer, size_t first = 0) {
  std::vector<const std::byte*> places;
  const auto* begin = reinterpret_cast<const ChaseNode*>(buffer.bytes().data() + first);
  for (const ChaseNode* at = begin; places.empty() || at != begin; at = at->next)
    places.push_back(reinterpret_cast<const std::byte*>(at));
  return places;
}

TEST(StrideWalk, UsesEachLineOnceAtTheDistance) {
  PageBuffer buffer = buffer_of(1 << 20);
  std::span<std::byte> memory = buffer.bytes().first(64 << 10);
  for (int64_t stride : {64, 192, 1024, -64, -256}) {
    StrideWalk walk(memory, stride, 1);
    EXPECT_EQ(walk.run(17), 32u);
    std::vector<const std::byte*> places;
    // Upwards a walk begins at the first line.
    size_t first = 0;
    if (stride < 0) {
      uint64_t part = ((memory.size() / 64 - 1) | 1) * 64;
      auto step = static_cast<uint64_t>(-stride);
      first = (part / step - 2) * step;
    }
    places = cycle_of(buffer, first);
    EXPECT_EQ(std::set(places.begin(), places.end()).size(), places.size());
    size_t other_steps = 0;
    for (size_t i = 1; i < places.size(); ++i) other_steps += places[i] - places[i - 1] == stride ? 0 : 1;
    EXPECT_EQ(other_steps, static_cast<size_t>(std::abs(stride)) / 64 - 1) << "one between two laps";
    EXPECT_GT(places.size() * 64, memory.size() * 9 / 10) << stride;
  }
}

TEST(StrideWalk, TakesStreamsInTurns) {
  PageBuffer buffer = buffer_of(1 << 20);
  StrideWalk walk(buffer.bytes().first(64 << 10), 64, 4);
  std::vector<const std::byte*> places = cycle_of(buffer);
  EXPECT_EQ(places.size() % 4, 0u);
  std::set<ptrdiff_t> begins;
  for (size_t i = 0; i < 4; ++i) begins.insert((places[i] - places[0]) / 64 % 64);
  EXPECT_EQ(begins.size(), 4u) << "in different sets of a cache";
  for (size_t i = 4; i < places.size(); ++i) ASSERT_EQ(places[i] - places[i - 4], 64);
}

TEST(Chains, AdvanceAllByTheSameNumberOfLoads) {
  PageBuffer buffer = buffer_of(1 << 20);
  ChaseRing ring(buffer.bytes().first(32 << 10));
  ring.grow_to(32 << 10);
  for (uint32_t count : kChainCounts) {
    Chains chains(ring, count);
    uint64_t loads = chains.run(1000);
    EXPECT_GE(loads, 1000u);
    EXPECT_EQ(loads % (16 * count), 0u) << count;
  }
}

TEST(PageRing, UsesOneLineOfEachPage) {
  PageBuffer buffer = buffer_of(1 << 20);
  PageRing ring(buffer.bytes(), 200);
  EXPECT_EQ(ring.run(1), 16u);
  std::vector<const std::byte*> places = cycle_of(buffer);
  EXPECT_EQ(places.size(), 200u);
  std::set<ptrdiff_t> pages, lines;
  for (const std::byte* place : places) {
    pages.insert((place - buffer.bytes().data()) / 4096);
    lines.insert((place - buffer.bytes().data()) / 64 % 64);
  }
  EXPECT_EQ(pages.size(), 200u);
  EXPECT_EQ(lines.size(), 64u);
}

}  // namespace
}  // namespace hm::host
