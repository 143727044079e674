// SPDX-License-Identifier: MIT
// A thread's calls of allocators, on a stack that is an array here.
#include "pmu/soft/sampling/heap_observer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "pmu/soft/sampling/test_platform.h"

namespace hm::soft {
namespace {

class HeapObserverTest : public ::testing::Test {
 protected:
  HeapObserverTest() {
    session_->heap_blocks = 1;
    observer_->observe(*session_);
    EXPECT_TRUE(observer_->observes());
    std::strcpy(session_->allocators[0].name, "palloc");
    session_->allocators[0].size_argument = 2;
    session_->allocator_count = 1;
    open_.stack_begin = reinterpret_cast<uint64_t>(stack_ + kWords);
  }

  uint64_t sp(size_t depth) { return reinterpret_cast<uint64_t>(stack_ + kWords - 1 - depth); }

  // Calls the allocator, with its return address `depth` words into the stack.
  void enter(const char* name, size_t depth, uint64_t return_address, std::vector<uint64_t> arguments) {
    stack_[kWords - 1 - depth] = return_address;
    AllocatorCall call{{}, sp(depth), {}};
    for (size_t i = 0; i < arguments.size(); ++i) call.arguments[i] = arguments[i];
    observer_->enter(
        open_, *session_, find_allocator(*session_, name), call, [](uint64_t) {},
        [&] {
          ++sites_;
          Registers registers{};
          registers.sp = sp(depth);
          return registers;
        });
  }
  void leave(size_t depth, uint64_t return_address, uint64_t result) {
    observer_->leave(open_, return_address, sp(depth) + 8, result, {});
  }

  // Returns the size of the block at an address; 0 if there is none.
  uint64_t bytes_at(uint64_t address) {
    HeapBlock block;
    bool found = observer_->find(
        address, block, [this] { return ++numbers_; },
        [this](uint32_t number, const HeapSiteFacts& facts, const StackCopy& stack) {
          allocations_.push_back({number, facts.return_address});
          uint64_t first = 0;
          std::memcpy(&first, stack.bytes, sizeof(first));
          EXPECT_EQ(first, facts.return_address);
        });
    site_ = found ? block.site : 0;
    return found ? block.bytes : 0;
  }

  static constexpr size_t kWords = 1000;
  static constexpr size_t kAbove = 64;  // words of callers, which calling_path() also reads
  static constexpr uint64_t kBlock = 0x100000, kOther = 0x200000, kReturn = 0x401000, kInner = 0x402000;
  alignas(16) uint64_t stack_[kWords + kAbove] = {};
  std::unique_ptr<Session> session_ = std::make_unique<Session>();
  std::unique_ptr<HeapObserver<TestPlatform>> observer_ = std::make_unique<HeapObserver<TestPlatform>>();
  OpenCalls open_{};
  uint32_t sites_ = 0;    // sites kept
  uint32_t numbers_ = 0;  // sites that samples requested
  uint32_t site_ = 0;     // of the block that bytes_at() found
  std::vector<std::pair<uint32_t, uint64_t>> allocations_;
};

TEST_F(HeapObserverTest, CallsAndTheirResults) {
  enter("malloc", 10, kReturn, {100});
  EXPECT_EQ(bytes_at(kBlock), 0u);
  leave(10, kReturn, kBlock);
  EXPECT_EQ(bytes_at(kBlock + 99), 100u);
  EXPECT_EQ(bytes_at(kBlock + 100), 0u);
  enter("free", 10, kReturn, {kBlock});
  EXPECT_EQ(bytes_at(kBlock), 0u);
  enter("calloc", 10, kInner, {10, 30});
  leave(10, kInner, kBlock);
  EXPECT_EQ(bytes_at(kBlock), 300u);
  enter("calloc", 10, kInner, {uint64_t{1} << 40, uint64_t{1} << 40});
  leave(10, kInner, 0);
  EXPECT_EQ(bytes_at(kBlock), 300u);
  uint64_t place = 0;
  enter("posix_memalign", 10, kReturn, {reinterpret_cast<uint64_t>(&place), 64, 500});
  place = kOther;
  leave(10, kReturn, 0);
  EXPECT_EQ(bytes_at(kOther), 500u);
  enter("posix_memalign", 10, kReturn, {reinterpret_cast<uint64_t>(&place), 64, 700});
  leave(10, kReturn, 12);  // ENOMEM
  EXPECT_EQ(bytes_at(kOther), 500u);
  EXPECT_EQ(open_.count, 0u);
  EXPECT_EQ(allocations_, (std::vector<std::pair<uint32_t, uint64_t>>{{1, kReturn}, {2, kInner}}));
  EXPECT_EQ(site_, 1u);
}

TEST_F(HeapObserverTest, OnlySitesOfSamplesAreReported) {
  for (uint64_t i = 0; i < 10; ++i) {
    enter("malloc", 10, kReturn + i, {100});
    leave(10, kReturn + i, kBlock + 0x1000 * i);
  }
  EXPECT_EQ(sites_, 10u);
  EXPECT_TRUE(allocations_.empty());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bytes_at(kBlock + 0x1000 * 7), 100u);
  EXPECT_EQ(allocations_, (std::vector<std::pair<uint32_t, uint64_t>>{{1, kReturn + 7}}));
}

TEST_F(HeapObserverTest, MovesKeepWhatCouldNotMove) {
  enter("malloc", 10, kReturn, {100});
  leave(10, kReturn, kBlock);
  enter("realloc", 10, kReturn, {kBlock, 200});
  EXPECT_EQ(bytes_at(kBlock), 100u);
  leave(10, kReturn, 0);
  EXPECT_EQ(bytes_at(kBlock), 100u);
  enter("realloc", 10, kReturn, {kBlock, 200});
  leave(10, kReturn, kOther);
  EXPECT_EQ(bytes_at(kBlock), 0u);
  EXPECT_EQ(bytes_at(kOther), 200u);
  enter("realloc", 10, kReturn, {kOther, 50});
  leave(10, kReturn, kOther);
  EXPECT_EQ(bytes_at(kOther), 50u);
  enter("realloc", 10, kReturn, {kOther, 0});
  leave(10, kReturn, 0);
  EXPECT_EQ(bytes_at(kOther), 0u);
}

TEST_F(HeapObserverTest, TheOutermostCallCounts) {
  enter("_Znwm", 10, kReturn, {100});
  enter("malloc", 14, kInner, {120});
  leave(14, kInner, kBlock);
  EXPECT_EQ(bytes_at(kBlock), 0u);
  leave(10, kReturn, kBlock);
  EXPECT_EQ(bytes_at(kBlock), 100u);
  EXPECT_EQ(sites_, 1u);
  enter("aligned_alloc", 10, kReturn, {64, 100});  // jumps to memalign
  enter("memalign", 10, kReturn, {64, 128});
  leave(10, kReturn, kOther);
  EXPECT_EQ(bytes_at(kOther), 100u);
}

TEST_F(HeapObserverTest, MallocInsideANamedAllocatorCountsToo) {
  enter("palloc", 10, kReturn, {0, 100});
  enter("malloc", 14, kInner, {8192});
  leave(14, kInner, kBlock);
  leave(10, kReturn, kBlock + 64);
  EXPECT_EQ(bytes_at(kBlock + 64), 100u);
  EXPECT_EQ(bytes_at(kBlock), 8192u);
  enter("free", 10, kReturn, {kBlock});
  EXPECT_EQ(bytes_at(kBlock + 64), 0u);
}

TEST_F(HeapObserverTest, CallsThatNeverReturn) {
  enter("palloc", 20, kReturn, {0, 100});  // left by longjmp
  enter("malloc", 10, kInner, {200});      // above it
  leave(10, kInner, kBlock);
  EXPECT_EQ(bytes_at(kBlock), 200u);
  EXPECT_EQ(open_.count, 0u);
  enter("_Znwm", 20, kReturn, {100});  // throws
  stack_[kWords - 1 - 20] = kInner;    // another call has overwritten the return address
  enter("malloc", 30, kInner, {300});
  leave(30, kInner, kBlock);
  EXPECT_EQ(bytes_at(kBlock), 300u);
  enter("_Znwm", 20, kReturn, {100});  // throws, and is called again from the same address
  enter("_Znwm", 20, kReturn, {400});
  leave(20, kReturn, kBlock);
  EXPECT_EQ(bytes_at(kBlock), 400u);
  EXPECT_EQ(open_.count, 0u);
}

TEST_F(HeapObserverTest, ACallThatIsNeverSeenToEndEndsSoon) {
  enter("malloc", 10, kReturn, {100});
  int passed_over = 0;
  for (; passed_over < 100 && bytes_at(kBlock) == 0; ++passed_over) {
    enter("malloc", 30, kInner, {200});
    leave(30, kInner, kBlock);
  }
  EXPECT_GT(passed_over, 3);
  EXPECT_LT(passed_over, 50);
}

}  // namespace
}  // namespace hm::soft
