// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

constexpr uint64_t kRestartBlock = 516;  // ERESTART_RESTARTBLOCK of include/linux/errno.h

// Sleeps in the kernel, and ends with 0 if nothing interrupted that.
[[noreturn]] void sleep_and_exit() {
  timespec time{0, 300'000'000};
  _exit(syscall(SYS_nanosleep, &time, nullptr) == 0 ? 0 : errno);
}

void sleep_and_trap() {
  sleep_ns(1'000'000);
  __asm__ volatile("int3");
}

bool is_asleep(pid_t process, user_regs_struct& registers) {
  if (::ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr) != 0 || ::waitpid(process, nullptr, 0) != process)
    return false;
  return ::ptrace(PTRACE_GETREGS, process, nullptr, &registers) == 0 &&
         registers.rax == static_cast<uint64_t>(-int64_t{kRestartBlock});
}

// Continues the stopped process in sleep_and_trap() until that has ended.
bool runs_sleep_and_trap(pid_t process, const user_regs_struct& registers) {
  constexpr uint64_t kRedZone = 128, kAlignment = 16;
  user_regs_struct inside = registers;
  inside.rip = reinterpret_cast<uint64_t>(&sleep_and_trap);
  inside.rsp = ((registers.rsp - kRedZone) & ~(kAlignment - 1)) - sizeof(uint64_t);  // as after a call
  inside.orig_rax = ~uint64_t{0};
  int status = 0;
  return ::ptrace(PTRACE_SETREGS, process, nullptr, &inside) == 0 &&
         ::ptrace(PTRACE_CONT, process, nullptr, nullptr) == 0 && ::waitpid(process, &status, 0) == process &&
         WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
}

// A thread that was interrupted in a sleep leaves the engine, which sleeps itself meanwhile.
TEST(SleepNs, LeavesAnInterruptedCallToBeRestarted) {
  pid_t process = ::fork();
  ASSERT_GE(process, 0);
  if (process == 0) sleep_and_exit();
  if (::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) != 0) GTEST_SKIP() << "ptrace is not permitted";
  user_regs_struct registers{};
  bool asleep = false;
  for (int i = 0; i < 1000 && !asleep; ++i) {
    asleep = is_asleep(process, registers);
    if (!asleep) {
      ::ptrace(PTRACE_CONT, process, nullptr, nullptr);
      ::usleep(1000);
    }
  }
  ASSERT_TRUE(asleep);
  ASSERT_TRUE(runs_sleep_and_trap(process, registers));
  user_regs_struct again = registers;
  again.rax = SYS_restart_syscall;
  again.rip -= 2;  // to the system call instruction
  again.orig_rax = ~uint64_t{0};
  ASSERT_EQ(::ptrace(PTRACE_SETREGS, process, nullptr, &again), 0);
  ASSERT_EQ(::ptrace(PTRACE_DETACH, process, nullptr, nullptr), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "errno of the sleep";
}

}  // namespace
}  // namespace hm::soft
