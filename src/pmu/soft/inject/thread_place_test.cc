// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/thread_place.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/wait_until.h"

namespace hm::soft {
namespace {

TEST(ThreadPlace, OfASleeperIsItsCallAndWhereItReturns) {
  EXPECT_EQ(parse_blocked("232 0x5 0x7ffe 0x40 0x64 0x0 0x8 0x7ffc12 0x7f0a56\n"),
            (BlockedAt{232, 0x7ffc12, 0x7f0a56}));
  EXPECT_EQ(parse_blocked("-1 0x7ffc12 0x7f0a56\n"), (BlockedAt{-1, 0x7ffc12, 0x7f0a56}));
}

TEST(ThreadPlace, OfOneThatRunsAndOfWhatIsNoSuchLineIsNotKnown) {
  for (const char* line : {"running\n", "", "1 2", "x 0x1 0x2", "1 0x1 0xzz", "1 0x1 0x1ffffffffffffffff"})
    EXPECT_EQ(parse_blocked(line), std::nullopt) << line;
}

TEST(ThreadPlace, IsToldByTheKernel) {
  std::thread sleeper;
  pid_t id = 0;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  sleeper = std::thread([&] {
    __atomic_store_n(&id, ::gettid(), __ATOMIC_SEQ_CST);
    char byte;
    (void)!::read(ends[0], &byte, 1);
  });
  constexpr int64_t kRead = 0;
  EXPECT_TRUE(wait_until([&] {
    pid_t now = __atomic_load_n(&id, __ATOMIC_SEQ_CST);
    auto place = blocked_at(::getpid(), now);
    return now != 0 && place && place->call == kRead;
  }));
  EXPECT_FALSE(is_running(::getpid(), id));
  EXPECT_TRUE(is_running(::getpid(), ::gettid()));
  (void)!::write(ends[1], "", 1);
  sleeper.join();
}

TEST(WaitingSignal, IsOneThatIsPendingAndNotBlocked) {
  const char* status =
      "Name:\tx\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000200\nSigBlk:\t0000000000000200\nSigIgn:"
      "\t0000000000000000\n";
  EXPECT_FALSE(has_waiting_signal(status));
  EXPECT_TRUE(has_waiting_signal(
      "Name:\tx\nSigPnd:\t0000000000000001\nShdPnd:\t0000000000000200\nSigBlk:\t0000000000000200\n"));
  EXPECT_FALSE(has_waiting_signal(""));
  const std::string child = "Name:\tx\nSigPnd:\t0000000000010000\nSigBlk:\t0000000000000000\n";  // SIGCHLD
  EXPECT_FALSE(has_waiting_signal(child));
  EXPECT_TRUE(has_waiting_signal(child + "SigCgt:\t0000000000010000\n"));
  EXPECT_FALSE(has_waiting_signal(child + "SigCgt:\t0000000000010000\nSigIgn:\t0000000000010000\n"));
}

TEST(WaitingFault, IsASignalOfTheThreadsOwnInstruction) {
  EXPECT_TRUE(
      has_waiting_fault("Name:\tx\nSigPnd:\t0000000000000400\nSigBlk:\t0000000000000000\n"));  // SIGSEGV
  EXPECT_FALSE(has_waiting_fault("Name:\tx\nSigPnd:\t0000000000000400\nSigBlk:\t0000000000000400\n"));
  EXPECT_FALSE(has_waiting_fault("Name:\tx\nShdPnd:\t0000000000000400\nSigBlk:\t0000000000000000\n"));
  EXPECT_FALSE(
      has_waiting_fault("Name:\tx\nSigPnd:\t0000000000004000\nSigBlk:\t0000000000000000\n"));  // SIGTERM
  EXPECT_FALSE(has_waiting_fault(""));
}

}  // namespace
}  // namespace hm::soft
