// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/thread_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hm::soft {
namespace {

class ThreadSlots : public testing::Test {
 protected:
  // Does the recorder's part: adds the totals of ended threads, and frees their slots.
  void harvest(ThreadTotals& sum) {
    uint32_t slots = __atomic_load_n(&status_->thread_slots, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < slots; ++i) {
      ThreadTotals& slot = status_->threads[i];
      if (__atomic_load_n(&slot.exited, __ATOMIC_ACQUIRE) == 0) continue;
      sum.counted.cycles += slot.counted.cycles;
      sum.counted.events[0] += slot.counted.events[0];
      slot.exited = 0;
      __atomic_store_n(&slot.tid, 0u, __ATOMIC_RELEASE);
    }
  }

  std::unique_ptr<RingStatus> status_ = std::make_unique<RingStatus>();
};

TEST_F(ThreadSlots, AreTakenInOrderAndFilled) {
  for (uint32_t i = 0; i < kMaxThreads; ++i) {
    ThreadTotals* slot = take_slot(*status_, 100 + i);
    ASSERT_EQ(slot, &status_->threads[i]);
    EXPECT_EQ(slot->tid, 100 + i);
    EXPECT_NE(slot->started_ns, 0u);
    EXPECT_EQ(status_->thread_slots, i + 1);
  }
  EXPECT_EQ(take_slot(*status_, 99), nullptr) << "all are taken";
}

TEST_F(ThreadSlots, AreTakenAgainFromZeroOnceTheRecorderFreedThem) {
  ThreadTotals* first = take_slot(*status_, 1);
  ThreadTotals* second = take_slot(*status_, 2);
  add_total(first->counted.cycles, 5);
  add_total(first->counted.events[0], 7);
  end_slot(*first);
  EXPECT_GE(first->ended_ns, first->started_ns);
  EXPECT_NE(take_slot(*status_, 3), first) << "nobody has read it yet";
  ThreadTotals sum{};
  harvest(sum);
  EXPECT_EQ(sum.counted.cycles, 5u);
  EXPECT_EQ(sum.counted.events[0], 7u);
  ThreadTotals* again = take_slot(*status_, 4);
  EXPECT_EQ(again, first);
  EXPECT_EQ(again->tid, 4u);
  EXPECT_EQ(again->ended_ns, 0u);
  EXPECT_EQ(again->counted.cycles, 0u);
  EXPECT_EQ(again->counted.events[0], 0u);
  EXPECT_EQ(second->tid, 2u);
  EXPECT_EQ(status_->thread_slots, 3u);
}

// Threads start and end, each counting in its slot, while the recorder harvests: no event is lost or counted
// twice.
TEST_F(ThreadSlots, LoseNothingWhileManyWrite) {
  constexpr uint32_t kWriters = 4, kLives = 500, kSteps = 50;
  std::mutex engine;
  std::atomic<uint32_t> writing = kWriters;
  std::vector<std::thread> writers;
  for (uint32_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (uint32_t life = 0; life < kLives; ++life) {
        ThreadTotals* slot = nullptr;
        {
          std::lock_guard lock(engine);
          slot = take_slot(*status_, 1 + writer * kLives + life);
        }
        ASSERT_NE(slot, nullptr);
        for (uint32_t step = 0; step < kSteps; ++step) {
          add_total(slot->counted.cycles, 1);
          add_total(slot->counted.events[0], writer + 1);
        }
        end_slot(*slot);
      }
      --writing;
    });
  }
  ThreadTotals sum{};
  while (writing != 0) harvest(sum);
  for (std::thread& each : writers) each.join();
  harvest(sum);
  EXPECT_EQ(sum.counted.cycles, uint64_t{kWriters} * kLives * kSteps);
  EXPECT_EQ(sum.counted.events[0], uint64_t{1 + 2 + 3 + 4} * kLives * kSteps);
  for (const ThreadTotals& each : status_->threads) EXPECT_EQ(each.tid, 0u);
}

}  // namespace
}  // namespace hm::soft
