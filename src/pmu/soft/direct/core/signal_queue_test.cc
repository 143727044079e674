// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/signal_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace hm::soft::direct {
namespace {

constexpr int kUser1 = 10, kUser2 = 12, kRealTime = 34;
constexpr int32_t kQueuedByUser = -1, kToThread = -6;  // SI_QUEUE, SI_TKILL

SignalInfo sent(int number, uint64_t value = 0, int32_t code = kQueuedByUser) {
  return {number, 0, code, 0, value, {}};
}

class SignalQueue : public ::testing::Test {
 protected:
  // Takes all due signals, and returns their values in order.
  std::vector<uint64_t> take_all() {
    std::vector<uint64_t> values;
    for (PendingSignal taken{}; take_due(state_, taken);) values.push_back(taken.info.address);
    return values;
  }

  SignalState state_{};
};

TEST_F(SignalQueue, KeepsEachRealTimeSignalInOrder) {
  for (uint64_t value : {1, 2, 3}) EXPECT_EQ(queue_signal(state_, sent(kRealTime, value)), Queued::kAppended);
  EXPECT_EQ(queue_signal(state_, sent(kRealTime + 1, 4)), Queued::kAppended);
  EXPECT_EQ(queue_signal(state_, sent(kRealTime, 5)), Queued::kAppended);
  EXPECT_EQ(take_all(), (std::vector<uint64_t>{1, 2, 3, 5, 4}));
}

TEST_F(SignalQueue, MergesAStandardSignalOfTheSameReceiver) {
  EXPECT_EQ(queue_signal(state_, sent(kUser1, 1)), Queued::kAppended);
  EXPECT_EQ(queue_signal(state_, sent(kUser1, 2)), Queued::kMerged);
  EXPECT_EQ(queue_signal(state_, sent(kUser1, 3, kToThread)), Queued::kAppended);
  EXPECT_EQ(queue_signal(state_, sent(kUser1, 4, kToThread)), Queued::kMerged);
  EXPECT_EQ(take_all(), (std::vector<uint64_t>{3, 1}));
}

TEST_F(SignalQueue, ReportsASignalForWhichItHasNoRoom) {
  for (uint64_t i = 0; i < SignalState::kMost; ++i)
    ASSERT_EQ(queue_signal(state_, sent(kRealTime, i)), Queued::kAppended);
  EXPECT_EQ(queue_signal(state_, sent(kRealTime, 99)), Queued::kNoRoom);
  EXPECT_EQ(queue_signal(state_, sent(kUser1, 99)), Queued::kNoRoom);
  std::vector<uint64_t> values = take_all();
  ASSERT_EQ(values.size(), SignalState::kMost);
  for (uint64_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], i);
}

TEST_F(SignalQueue, LeavesBlockedSignalsInTheirOrder) {
  ASSERT_EQ(queue_signal(state_, sent(kRealTime, 1)), Queued::kAppended);
  ASSERT_EQ(queue_signal(state_, sent(kUser2, 2)), Queued::kAppended);
  ASSERT_EQ(queue_signal(state_, sent(kRealTime, 3)), Queued::kAppended);
  state_.mask = mask_of(kRealTime);
  EXPECT_EQ(take_all(), (std::vector<uint64_t>{2}));
  EXPECT_TRUE(is_pending(state_, sent(kRealTime)));
  state_.mask = 0;
  EXPECT_EQ(take_all(), (std::vector<uint64_t>{1, 3}));
  EXPECT_FALSE(is_pending(state_, sent(kRealTime)));
}

TEST_F(SignalQueue, TakesForcedSignalsThenFaultsFirst) {
  ASSERT_EQ(queue_signal(state_, sent(kUser1, 1)), Queued::kAppended);
  ASSERT_EQ(queue_signal(state_, sent(kBadCall, 2)), Queued::kAppended);
  state_.pending[state_.count++] = {sent(kSegv, 3), true};
  state_.mask = mask_of(kSegv);  // a forced signal is due although its number is blocked
  EXPECT_EQ(take_all(), (std::vector<uint64_t>{3, 2, 1}));
}

}  // namespace
}  // namespace hm::soft::direct
