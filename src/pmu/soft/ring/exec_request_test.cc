// SPDX-License-Identifier: MIT
// A process sends the requests to another process, because a process cannot see its own lock.
#include "pmu/soft/ring/exec_request.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include "base/wait_until.h"

namespace hm::soft {
namespace {

constexpr uint32_t kProcess = 70, kThread = 71;
constexpr ExecPatience kEndless{~0u, ~0u};

// Whether the process sleeps: proc_pid_stat(5).
bool sleeps(pid_t process) {
  std::string line;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), line);
  size_t name_end = line.rfind(") ");
  return name_end != std::string::npos && line[name_end + 2] == 'S';
}

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
    if (child_ > 0 && ::kill(child_, SIGKILL) == 0) ::waitpid(child_, nullptr, 0);
    ::munmap(session_, sizeof(Session));
    std::fclose(file_);
  }

  // Runs `process` in a child, which exits with its result.
  void in_process(const std::function<int(ExecAsking&)>& process, ExecPatience patience = kEndless) {
    child_ = ::fork();
    if (child_ != 0) return;
    ExecAsking asking(*session_, fileno(file_), patience);
    ::_exit(process(asking));
  }

  [[nodiscard]] int exit_status() {
    int status = 0;
    pid_t child = std::exchange(child_, 0);
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
  }

  // The recorder's side.
  void wait_for_request(uint32_t wanted) {
    uint32_t* state = &session_->exec_requests[0].state;
    ASSERT_TRUE(wait_until([&] { return __atomic_load_n(state, __ATOMIC_ACQUIRE) == wanted; })) << wanted;
  }
  void answer(uint32_t request_state, uint32_t reply) {
    ExecRequest& request = session_->exec_requests[0];
    ASSERT_NO_FATAL_FAILURE(wait_for_request(request_state));
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

TEST_F(ExecRequestTest, IsNotAskedOfARecorderThatIsStalled) {
  session_->stalled = 1;
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 1 : 0; });
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(places_taken(), 0u);
  EXPECT_EQ(session_->doorbell, 0u);
}

TEST_F(ExecRequestTest, IsWithdrawnWhereTheRecorderEnds) {
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 1 : 0; });
  ASSERT_NO_FATAL_FAILURE(wait_for_request(kExecAsked));
  struct flock lock {};
  lock.l_type = F_UNLCK;
  ASSERT_EQ(::fcntl(fileno(file_), F_SETLK, &lock), 0);
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(session_->exec_requests[0].state, uint32_t{kExecWithdrawn}) << "the recorder frees the place";
}

TEST_F(ExecRequestTest, WaitsForAPlace) {
  for (ExecRequest& each : session_->exec_requests) each.thread = 1;
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 0 : 1; });
  ASSERT_TRUE(wait_until([&] { return sleeps(child_); })) << "it has looked, and found none";
  EXPECT_EQ(session_->doorbell, 0u);
  __atomic_store_n(&session_->exec_requests[0].thread, 0u, __ATOMIC_RELEASE);
  answer(kExecAsked, kExecFollowed);
  EXPECT_EQ(exit_status(), 0);
}

TEST_F(ExecRequestTest, GoesOnUnfollowedWhereNoPlaceBecomesFree) {
  for (ExecRequest& each : session_->exec_requests) each.thread = 1;
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 1 : 0; }, {3, 3});
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(session_->doorbell, 0u);
}

TEST_F(ExecRequestTest, GoesOnUnfollowedWhereALivingRecorderDoesNotAnswer) {
  in_process([](ExecAsking& asking) { return asking.follow(kProcess, kThread) ? 1 : 0; }, {3, 3});
  EXPECT_EQ(exit_status(), 0);
  EXPECT_EQ(session_->exec_requests[0].state, uint32_t{kExecWithdrawn});
}

}  // namespace
}  // namespace hm::soft
