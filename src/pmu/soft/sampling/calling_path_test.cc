// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/calling_path.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace hm::soft {
namespace {

TEST(CodeRanges, HoldWhatWasAddedLast) {
  CodeRanges code;
  code.add(0x3000, 0x5000);
  code.add(0x8000, 0x9000);
  code.add(0x1000, 0x2000);
  EXPECT_TRUE(code.contains(0x1000) && code.contains(0x4fff) && code.contains(0x8000));
  EXPECT_FALSE(code.contains(0xfff) || code.contains(0x2000) || code.contains(0x5000) ||
               code.contains(0x9000));
  code.add(0x4000, 0x6000);  // overlaps an existing range
  EXPECT_FALSE(code.contains(0x3000));
  EXPECT_TRUE(code.contains(0x5000));
  code.forget(0x8800, 0x8801);
  EXPECT_FALSE(code.contains(0x8000));
  EXPECT_TRUE(code.contains(0x1000));
}

TEST(CodeRanges, AreAsASearchFindsThem) {
  std::mt19937 random(1);
  CodeRanges code;
  std::vector<bool> is_code(200);
  for (int step = 0; step < 2000; ++step) {
    uint64_t start = random() % 190, end = start + 1 + random() % 5;
    // All ranges are ten long, so that the forgotten ranges are known.
    uint64_t first = start / 10 * 10;
    if (random() % 2 == 0) {
      code.add(first, first + 10);
      std::fill_n(is_code.begin() + static_cast<int64_t>(first), 10, true);
    } else {
      code.forget(start, end);
      for (uint64_t each = first; each < end; each += 10)
        std::fill_n(is_code.begin() + static_cast<int64_t>(each), 10, false);
    }
    for (uint64_t each = 0; each < is_code.size(); ++each)
      ASSERT_EQ(code.contains(each), is_code[each]) << each;
  }
}

TEST(CodeRanges, BeyondWhatFitsAreNotCode) {
  CodeRanges code;
  for (uint64_t i = 0; i < 1000; ++i) code.add(i * 0x1000, i * 0x1000 + 0x800);
  EXPECT_TRUE(code.contains(0x1000));
  EXPECT_FALSE(code.contains(999 * 0x1000));
}

// A concurrent reader may get a wrong result, but terminates.
TEST(CodeRanges, MayBeReadWhileTheyChange) {
  CodeRanges code;
  code.add(0x10000, 0x20000);
  std::atomic<bool> done = false;
  uint64_t seen = 0;
  std::thread reader([&] {
    while (!done) seen += code.contains(0x18000) ? 1 : 0;
  });
  for (uint64_t i = 0; i < 20000; ++i) {
    uint64_t start = 0x30000 + i % 300 * 0x1000;
    i % 3 == 0 ? code.forget(start, start + 0x5000) : code.add(start, start + 0x1000);
  }
  done = true;
  reader.join();
  EXPECT_TRUE(code.contains(0x18000));
}

class CallingPath : public ::testing::Test {
 protected:
  CallingPath() { code_.add(kCode, kCode + 0x1000); }

  uint64_t path() { return calling_path(code_, reinterpret_cast<uint64_t>(stack_)); }

  static constexpr uint64_t kCode = 0x400000;
  CodeRanges code_;
  alignas(4096) uint64_t stack_[512] = {};
};

TEST_F(CallingPath, DependsOnThePointersToCodeAbove) {
  uint64_t none = path();
  stack_[0] = kCode;  // the return address itself, which is separate from the path
  EXPECT_EQ(path(), none);
  stack_[5] = kCode + 0x15;
  uint64_t one = path();
  EXPECT_NE(one, none);
  stack_[6] = 0x1234;        // data
  stack_[7] = kCode + 0x40;  // a function
  EXPECT_EQ(path(), one);
  stack_[5] = kCode + 0x25;
  EXPECT_NE(path(), one);
  stack_[5] = kCode + 0x15;
  stack_[9] = kCode + 0x25;
  EXPECT_NE(path(), one);
  stack_[500] = kCode + 0x35;  // far up
  stack_[9] = 0;
  EXPECT_EQ(path(), one);
}

TEST_F(CallingPath, EndsWhereTheStackDoes) {
  auto* pages =
      static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(munmap(pages + 4096, 4096), 0);
  auto* top = reinterpret_cast<uint64_t*>(pages + 4096) - 4;
  uint64_t none = calling_path(code_, reinterpret_cast<uint64_t>(top));
  top[2] = kCode + 0x15;
  EXPECT_NE(calling_path(code_, reinterpret_cast<uint64_t>(top)), none);
  munmap(pages, 4096);
}

}  // namespace
}  // namespace hm::soft
