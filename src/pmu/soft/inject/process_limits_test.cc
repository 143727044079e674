// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/process_limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace hm::soft {
namespace {

// A waiting child process with its own limits.
class LimitedChild {
 public:
  LimitedChild(rlimit address_space, rlimit data) : pid_(::fork()) {
    if (pid_ == 0) {
      ::pause();
      ::_exit(0);
    }
    EXPECT_EQ(::prlimit(pid_, RLIMIT_AS, &address_space, nullptr), 0);
    EXPECT_EQ(::prlimit(pid_, RLIMIT_DATA, &data, nullptr), 0);
  }
  LimitedChild(const LimitedChild&) = delete;
  LimitedChild& operator=(const LimitedChild&) = delete;
  ~LimitedChild() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] rlimit limit(__rlimit_resource kind) const {
    rlimit now{};
    EXPECT_EQ(::prlimit(pid_, kind, nullptr, &now), 0);
    return now;
  }

 private:
  pid_t pid_;
};

constexpr rlimit kNone{RLIM_INFINITY, RLIM_INFINITY};

TEST(ProcessLimits, SoftLimitsAreRaisedAndRestored) {
  LimitedChild child({1u << 30, RLIM_INFINITY}, {1u << 20, RLIM_INFINITY});
  ASSERT_TRUE(add_limit_reserves(child.pid()).ok());
  EXPECT_GT(child.limit(RLIMIT_AS).rlim_cur, uint64_t{1} << 40);
  EXPECT_GT(child.limit(RLIMIT_DATA).rlim_cur, uint64_t{1} << 40);
  ASSERT_TRUE(add_limit_reserves(child.pid()).ok());
  remove_limit_reserves(child.pid());
  EXPECT_EQ(child.limit(RLIMIT_AS).rlim_cur, 1u << 30);
  EXPECT_EQ(child.limit(RLIMIT_DATA).rlim_cur, 1u << 20);
  EXPECT_EQ(child.limit(RLIMIT_AS).rlim_max, RLIM_INFINITY);
}

TEST(ProcessLimits, WithoutLimitsNothingChanges) {
  LimitedChild child(kNone, kNone);
  ASSERT_TRUE(add_limit_reserves(child.pid()).ok());
  EXPECT_EQ(child.limit(RLIMIT_AS).rlim_cur, RLIM_INFINITY);
  remove_limit_reserves(child.pid());
  EXPECT_EQ(child.limit(RLIMIT_AS).rlim_cur, RLIM_INFINITY);
}

TEST(ProcessLimits, TheEngineNeedsFreeDescriptors) {
  LimitedChild child(kNone, kNone);
  EXPECT_TRUE(check_free_descriptors(child.pid()).ok());
  rlimit soft{0, child.limit(RLIMIT_NOFILE).rlim_max};
  EXPECT_EQ(::prlimit(child.pid(), RLIMIT_NOFILE, &soft, nullptr), 0);
  EXPECT_TRUE(check_free_descriptors(child.pid()).ok());  // the engine raises a soft limit
  rlimit hard{4, 4};
  EXPECT_EQ(::prlimit(child.pid(), RLIMIT_NOFILE, &hard, nullptr), 0);
  Status full = check_free_descriptors(child.pid());
  if (full.ok()) GTEST_SKIP() << "this process may raise hard limits (CAP_SYS_RESOURCE)";
  EXPECT_EQ(full.error().code, ErrorCode::kPermission);
}

TEST(ProcessLimits, AHardLimitTakesARight) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user; not tested";
  LimitedChild child({1u << 30, 1u << 30}, kNone);
  Status added = add_limit_reserves(child.pid());  // root in a container may lack CAP_SYS_RESOURCE
  if (added.ok())
    EXPECT_GT(child.limit(RLIMIT_AS).rlim_max, uint64_t{1} << 40);
  else
    EXPECT_EQ(added.error().code, ErrorCode::kPermission);
  remove_limit_reserves(child.pid());
  EXPECT_EQ(child.limit(RLIMIT_AS).rlim_max, 1u << 30);
  pid_t other = ::fork();  // another user with a child process
  if (other == 0) {
    bool is_other = ::setresgid(65534, 65534, 65534) == 0 && ::setresuid(65534, 65534, 65534) == 0;
    bool refused = false;
    {
      LimitedChild own(kNone, {1u << 20, 1u << 20});
      Status tried = add_limit_reserves(own.pid());
      refused = !tried.ok() && tried.error().code == ErrorCode::kPermission &&
                own.limit(RLIMIT_AS).rlim_max == RLIM_INFINITY && own.limit(RLIMIT_DATA).rlim_max == 1u << 20;
    }
    ::_exit(is_other && refused ? 0 : 1);
  }
  int status = 1;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace hm::soft
