// SPDX-License-Identifier: MIT
#include "host/chase_ring.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
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

// A stride prefetcher must not find a pattern: no distance between successive nodes is common.
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

constexpr uint64_t kBufferBytes = 3 * kHugePageBytes + 100;

void touch(const PageBuffer& buffer) {
  for (std::byte& each : buffer.bytes()) each = std::byte{1};
}

TEST(PageBuffer, HasNoHugePageWhereSmallOnesAreAskedFor) {
  auto small = PageBuffer::map(kBufferBytes, PageKind::kSmall);
  ASSERT_TRUE(small.ok()) << small.error().message;
  EXPECT_EQ(small->bytes().size(), kBufferBytes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(small->bytes().data()) % kHugePageBytes, 0);
  EXPECT_FALSE(small->huge_share()) << "nothing was touched";
  touch(*small);
  ASSERT_TRUE(small->huge_share());
  EXPECT_EQ(*small->huge_share(), 0);
}

// Returns a field of the mapping with this address from /proc/self/smaps (proc(5)).
std::string mapping_field(const void* address, const std::string& name) {
  std::ifstream smaps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
      inside = begin <= reinterpret_cast<uintptr_t>(address) && reinterpret_cast<uintptr_t>(address) < end;
    if (inside && line.starts_with(name + ":")) return line;
  }
  return "";
}

// The number of huge pages is the kernel's decision and is not checked.
TEST(PageBuffer, AsksForHugePages) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    GTEST_SKIP() << "this kernel has no transparent huge pages";
  auto huge = PageBuffer::map(kBufferBytes, PageKind::kHuge);
  ASSERT_TRUE(huge.ok()) << huge.error().message;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(huge->bytes().data()) % kHugePageBytes, 0);
  touch(*huge);
  std::string flags = mapping_field(huge->bytes().data(), "VmFlags");
  bool of_pool = flags.find(" ht") != std::string::npos;
  EXPECT_TRUE(of_pool || flags.find(" hg") != std::string::npos) << flags;
  ASSERT_TRUE(huge->huge_share());
  EXPECT_GE(*huge->huge_share(), of_pool ? 1 : 0);
  EXPECT_LE(*huge->huge_share(), 1);
}

}  // namespace
}  // namespace hm::host
