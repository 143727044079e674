// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/tracee_stop.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace hm::soft {
namespace {

void exit_with_7(int /*signal*/) { ::_exit(7); }

// A child that ends with status 7 when it gets SIGUSR1, and with 1 after ten seconds.
pid_t child_that_catches() {
  std::array<int, 2> ready{};
  if (::pipe(ready.data()) != 0) return -1;
  pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGUSR1, exit_with_7);
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // the tracer is no ancestor (Yama)
    (void)!::write(ready[1], "", 1);
    ::sleep(10);
    ::_exit(1);
  }
  char byte = 0;
  (void)!::read(ready[0], &byte, 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return child;
}

// A tracer of `process` that is killed while the process is stopped with SIGUSR1, which it has taken by
// `take`.
template <class Take>
void be_killed_at_delivery(pid_t process, Take take) {
  pid_t tracer = ::fork();
  if (tracer == 0) {
    int status = 0;
    if (::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) != 0) ::_exit(1);
    ::kill(process, SIGUSR1);
    if (take(process, status) != process || !is_delivery(status) || WSTOPSIG(status) != SIGUSR1) ::_exit(2);
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(tracer, &status, 0), tracer);
  ASSERT_TRUE(WIFSIGNALED(status)) << "status " << status;
}

TEST(TraceeStop, SignalArrivesAlthoughTheTracerIsKilledBetweenItsStopAndItsDelivery) {
  pid_t child = child_that_catches();
  be_killed_at_delivery(child, [](pid_t pid, int& status) { return take_stop(pid, 0, status); });
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(TraceeStop, SignalIsDeliveredFromStopThatIsNotConsumed) {
  pid_t child = child_that_catches();
  int status = 0;
  ASSERT_EQ(::ptrace(PTRACE_SEIZE, child, nullptr, nullptr), 0);
  ::kill(child, SIGUSR1);
  ASSERT_EQ(take_stop(child, 0, status), child);
  ASSERT_TRUE(is_delivery(status));
  ASSERT_EQ(::ptrace(PTRACE_CONT, child, nullptr, WSTOPSIG(status)), 0);
  ASSERT_EQ(take_stop(child, 0, status), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(take_stop(child, WNOHANG, status), -1) << "the end was not consumed";
}

TEST(TraceeStop, ChildrenThatAreNotTracedStopWithoutNotice) {
  pid_t child = child_that_catches();
  ::kill(child, SIGSTOP);
  int status = 0;
  siginfo_t seen{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &seen, WSTOPPED | WNOWAIT), 0);
  ASSERT_EQ(seen.si_code, CLD_STOPPED);
  EXPECT_EQ(look_at_child(P_PID, child, WNOHANG, status), 0);
  ::kill(child, SIGKILL);
  ASSERT_EQ(take_stop(child, 0, status), child);
}

TEST(TraceeStop, OtherStopsAreConsumed) {
  pid_t child = child_that_catches();
  int status = 0;
  ASSERT_EQ(::ptrace(PTRACE_SEIZE, child, nullptr, nullptr), 0);
  EXPECT_EQ(take_stop(child, WNOHANG, status), 0);
  ASSERT_EQ(::ptrace(PTRACE_INTERRUPT, child, nullptr, nullptr), 0);
  ASSERT_EQ(take_stop(child, 0, status), child);
  EXPECT_EQ(ptrace_event_of(status), PTRACE_EVENT_STOP);
  EXPECT_FALSE(is_delivery(status));
  EXPECT_EQ(take_stop(child, WNOHANG, status), 0);
  ::kill(child, SIGKILL);
  ASSERT_EQ(take_stop(child, 0, status), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
}  // namespace hm::soft
