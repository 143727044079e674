// SPDX-License-Identifier: MIT
// A process asks another, as the recorder's lock is seen by others only.
#include "pmu/soft/ring/exec_request.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

namespace hm::soft {
namespace {

constexpr uint32_t kProcess = 70, kThread = 71;

class ExecRequestTest : public testing::Test {
 protected:
  void SetUp() override {
    void* memory =
        ::mmap(nullptr, sizeof(Session), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    session_ = static_cast<Session*>(memory);
    session_->follows_exec = 1;
    file_ = std::tmpfile();
    ASSERT_NE(file_, nullptr);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    ASSERT_EQ(::fcntl(fileno(file_), F_SETLK, &lock), 0);
  }
  void TearDown() override {
    ::munmap(session_, sizeof(Session));
    std::fclose(file_);
  }

  // Exits with what `process` returns.
  void in_process(const std::function<int(ExecAsking&)>& process) {
    child_ = ::fork();
    if (child_ != 0) return;
    ExecAsking asking(*session_, fileno(file_));
    ::_exit(process(asking));
  }

  [[nodiscard]] int exit_status() const {
    int status = 0;
    EXPECT_EQ(::waitpid(child_, &status, 0), child_);
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
  }

  // The recorder's side: sees `told`, and answers.
  void answer(uint32_t told, uint32_t reply) {
    ExecRequest& request = session_->exec_requests[0];
    while (__atomic_load_n(&request.state, __ATOMIC_ACQUIRE) != told) ::usleep(100);
    EXPECT_EQ(request.process, kProcess);
    EXPECT_EQ(request.thread, kThread);
    __atomic_store_n(&request.state, reply, __ATOMIC_RELEASE);
    futex_wake(&request.state);
  }

  [[nodiscard]] unsigned places_taken() const {
    unsigned taken = 0;
    for (const ExecRequest& each : session_->exec_requests) taken += each.thread != 0 ? 1 : 0;
    return taken;
  }

  Session* session_ = nullptr;
  FILE* file_ = nullptr;
  pid_t child_ = 0;
};

TEST_F(ExecRequestTest, IsFollowedUntilExecveFails) {
  in_process([](ExecAsking& asking) {
    if (!asking.follow(kProcess, kThread)) return 1;
    asking.failed();
    return 0;
  });
  answer(kExecAsked, kExecFollowed);
  answer(kExecFailed, kExecReleased);
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(places_taken(), 0u);
  EXPECT_GE(session_->doorbell, 2u);
}

TEST_F(ExecRequestTest, MayBeRefused) {
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 1 : 0; });
  answer(kExecAsked, kExecRefused);
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(places_taken(), 0u);
}

TEST_F(ExecRequestTest, IsNotAskedOfARecorderThatDoesNotAnswer) {
  session_->follows_exec = 0;
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 1 : 0; });
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(places_taken(), 0u);
}

TEST_F(ExecRequestTest, IsWithdrawnWhereTheRecorderEnds) {
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 1 : 0; });
  while (__atomic_load_n(&session_->exec_requests[0].state, __ATOMIC_ACQUIRE) != kExecAsked) ::usleep(100);
  struct flock lock {};
  lock.l_type = F_UNLCK;
  ASSERT_EQ(::fcntl(fileno(file_), F_SETLK, &lock), 0);
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(session_->exec_requests[0].state, uint32_t{kExecWithdrawn}) << "the recorder frees the place";
}

TEST_F(ExecRequestTest, WaitsForAPlace) {
  for (ExecRequest& each : session_->exec_requests) each.thread = 1;
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 0 : 1; });
  ::usleep(20000);
  __atomic_store_n(&session_->exec_requests[0].thread, 0u, __ATOMIC_RELEASE);
  answer(kExecAsked, kExecFollowed);
  EXPECT_EQ(exit_status(), 0);
}

}  // namespace
}  // namespace hm::soft
