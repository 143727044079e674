// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/interrupted_call.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>

namespace hm::soft {
namespace {

user_regs_struct stopped(uint64_t call, int64_t result) {
  user_regs_struct registers{};
  registers.orig_rax = call;
  registers.rax = static_cast<uint64_t>(result);
  registers.rip = 0x1002;
  return registers;
}

TEST(InterruptedCall, IsBegunAnewByTheKernelAfterItsOwnErrors) {
  for (int64_t error : {512, 513, 514}) {
    Restart restart = restart_of(stopped(SYS_read, -error));
    EXPECT_TRUE(restart.needed && !restart.by_us) << error;
    EXPECT_EQ(restart.call, SYS_read);
  }
  EXPECT_EQ(restart_of(stopped(SYS_nanosleep, -516)).call, SYS_restart_syscall);
}

TEST(InterruptedCall, IsBegunAnewByUsWhereTheKernelWouldHaveItFail) {
  EXPECT_TRUE(restart_of(stopped(SYS_epoll_wait, -EINTR)).by_us);
  EXPECT_FALSE(restart_of(stopped(SYS_close, -EINTR)).needed);
}

TEST(InterruptedCall, IsOverOtherwise) {
  EXPECT_FALSE(restart_of(stopped(SYS_read, 5)).needed);
  EXPECT_FALSE(restart_of(stopped(SYS_read, -EAGAIN)).needed);
  EXPECT_FALSE(restart_of(stopped(~uint64_t{0}, -512)).needed) << "in no call";
}

TEST(SettledRegisters, AreThoseBeforeTheCall) {
  user_regs_struct again = settled(stopped(SYS_epoll_wait, -EINTR));
  EXPECT_EQ(again.rip, 0x1000);
  EXPECT_EQ(again.rax, SYS_epoll_wait);
  EXPECT_EQ(again.orig_rax, ~0ull);
  user_regs_struct done = settled(stopped(SYS_read, 5));
  EXPECT_EQ(done.rip, 0x1002);
  EXPECT_EQ(done.rax, 5u);
}

}  // namespace
}  // namespace hm::soft
