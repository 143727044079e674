// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/followed_processes.h"
#include "base/process_status.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "pmu/soft/launcher/surroundings.h"

namespace hm::soft {
namespace {

class Sleeper {
 public:
  Sleeper() : pid_(::fork()) {
    if (pid_ == 0) {
      ::pause();
      ::_exit(0);
    }
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

uint32_t answer_to(pid_t process, pid_t thread) {
  auto session = std::make_unique<Session>();
  FollowedProcesses followed(EngineImage{}, "/nowhere");
  session->exec_requests[0] = {static_cast<uint32_t>(thread), static_cast<uint32_t>(process), kExecAsked};
  followed.serve(*session);
  uint32_t answer = session->exec_requests[0].state;
  followed.stop(*session);
  return answer;
}

// Any process that has access to the session may write a request. The recorder must trace only processes that
// it measures.
TEST(FollowedProcesses, RefuseAThreadOfAnotherProcess) {
  Sleeper asking, victim;
  EXPECT_EQ(answer_to(asking.pid(), victim.pid()), kExecRefused);
  EXPECT_EQ(status_field(victim.pid(), "TracerPid"), 0);
  EXPECT_EQ(answer_to(1, 1), kExecRefused);
  EXPECT_EQ(answer_to(::getppid(), ::getppid()), kExecRefused);
  EXPECT_EQ(answer_to(asking.pid(), 1), kExecRefused);
}

TEST(FollowedProcesses, FollowAThreadOfADescendant) {
  if (Status permitted = try_tracing(); !permitted) GTEST_SKIP() << permitted.error().message;
  Sleeper asking;
  EXPECT_EQ(answer_to(asking.pid(), asking.pid()), kExecFollowed);
}

}  // namespace
}  // namespace hm::soft
