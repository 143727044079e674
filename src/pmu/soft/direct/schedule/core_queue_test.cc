// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/schedule/core_queue.h"

#include <gtest/gtest.h>

namespace hm::soft::direct {
namespace {

class Queue : public ::testing::Test {
 protected:
  Thread one_{}, two_{}, three_{};
  CoreQueue queue_;
};

TEST_F(Queue, ServesInTheOrderOfArrival) {
  EXPECT_TRUE(queue_.empty());
  for (Thread* each : {&one_, &two_, &three_}) queue_.join(*each);
  for (Thread* each : {&one_, &two_, &three_}) {
    EXPECT_TRUE(queue_.is_first(*each));
    queue_.leave(*each);
  }
  EXPECT_TRUE(queue_.empty());
}

TEST_F(Queue, AThreadWithASignalGoesFirst) {
  for (Thread* each : {&one_, &two_, &three_}) queue_.join(*each);
  queue_.go_first(three_);
  EXPECT_TRUE(queue_.is_first(three_));
  queue_.leave(three_);
  EXPECT_TRUE(queue_.is_first(one_));
}

TEST_F(Queue, OneThatIsNotThereMayLeave) {
  queue_.join(one_);
  queue_.leave(two_);
  EXPECT_TRUE(queue_.is_first(one_));
  queue_.forget_all();
  EXPECT_TRUE(queue_.empty());
}

TEST_F(Queue, OneInTheMiddleMayLeaveAndComeAgain) {
  for (Thread* each : {&one_, &two_, &three_}) queue_.join(*each);
  queue_.leave(two_);
  queue_.join(two_);
  for (Thread* each : {&one_, &three_, &two_}) {
    EXPECT_TRUE(queue_.is_first(*each));
    queue_.leave(*each);
  }
  EXPECT_TRUE(queue_.empty());
  queue_.join(three_);
  EXPECT_TRUE(queue_.is_first(three_));
}

TEST_F(Queue, WakesTheFirstThreadAlone) {
  for (Thread* each : {&one_, &two_, &three_}) {
    queue_.join(*each);
    CoreQueue::begin_look(*each);
  }
  queue_.wake_first();
  EXPECT_EQ(one_.woken, 1u);
  EXPECT_EQ(two_.woken, 0u);
  queue_.leave(one_);
  EXPECT_EQ(two_.woken, 1u) << "it is the first now";
  queue_.leave(three_);
  CoreQueue::begin_look(two_);
  EXPECT_EQ(two_.woken, 0u);
  queue_.leave(two_);
  queue_.wake_first();  // the queue is empty
}

}  // namespace
}  // namespace hm::soft::direct
