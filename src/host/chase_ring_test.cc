// SPDX-License-Identifier: MIT
#include "host/chase_ring.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "host/page_buffer.h"

namespace hm::host {
namespace {

std::vector<ChaseNode> lines(size_t count) { return std::vector<ChaseNode>(count); }

uint64_t round_length(const ChaseRing& ring) {
  std::set<const ChaseNode*> seen;
  for (const ChaseNode* at = ring.start(); seen.insert(at).second; at = at->next) {
  }
  return seen.size();
}

TEST(ChaseRing, VisitsEachLineOnceAsItGrows) {
  auto memory = lines(1000);
  ChaseRing ring(std::as_writable_bytes(std::span(memory)));
  EXPECT_EQ(round_length(ring), 1);
  for (uint64_t size : {2, 3, 64, 65, 1000}) {
    ring.grow_to(size * kLineBytes);
    EXPECT_EQ(ring.size(), size);
    EXPECT_EQ(round_length(ring), size);
  }
}

TEST(ChaseRing, NeitherShrinksNorLeavesItsMemory) {
  auto memory = lines(10);
  ChaseRing ring(std::as_writable_bytes(std::span(memory)));
  ring.grow_to(1 << 20);
  EXPECT_EQ(ring.size(), 10);
  ring.grow_to(64);
  EXPECT_EQ(ring.size(), 10);
  EXPECT_EQ(round_length(ring), 10);
}

// A prefetcher that follows strides must find none: of the distances between successive nodes none is common.
TEST(ChaseRing, HasNoStride) {
  constexpr uint64_t kNodes = 4096;
  auto memory = lines(kNodes);
  ChaseRing ring(std::as_writable_bytes(std::span(memory)));
  ring.grow_to(kNodes * kLineBytes);
  std::map<ptrdiff_t, int> distances;
  int most = 0;
  for (const ChaseNode& node : memory) most = std::max(most, ++distances[node.next - &node]);
  EXPECT_LT(most, 16);
}

TEST(Chase, MakesItsStepsRoundedUp) {
  auto memory = lines(64);
  ChaseRing ring(std::as_writable_bytes(std::span(memory)));
  ring.grow_to(64 * kLineBytes);
  const ChaseNode* expected = ring.start();
  for (int i = 0; i < 32; ++i) expected = expected->next;
  EXPECT_EQ(chase(ring.start(), 17), expected);
  EXPECT_EQ(chase(ring.start(), 64), ring.start());
}

TEST(PageBuffer, TellsSmallPagesFromHugeOnes) {
  constexpr uint64_t kBytes = 3 * kHugePageBytes + 100;
  auto small = PageBuffer::map(kBytes, PageKind::kSmall);
  ASSERT_TRUE(small.ok()) << small.error().message;
  EXPECT_EQ(small->bytes().size(), kBytes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(small->bytes().data()) % kHugePageBytes, 0);
  for (std::byte& each : small->bytes()) each = std::byte{1};
  ASSERT_TRUE(small->huge_share());
  EXPECT_EQ(*small->huge_share(), 0);

  auto huge = PageBuffer::map(kBytes, PageKind::kHuge);
  ASSERT_TRUE(huge.ok()) << huge.error().message;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(huge->bytes().data()) % kHugePageBytes, 0);
  for (std::byte& each : huge->bytes()) each = std::byte{1};
  ASSERT_TRUE(huge->huge_share());
  if (*huge->huge_share() == 0) GTEST_SKIP() << "the kernel gave no huge page; not tested";
  EXPECT_GT(*huge->huge_share(), 0.5);
}

}  // namespace
}  // namespace hm::host
