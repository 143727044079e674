// SPDX-License-Identifier: MIT
// Machines without working libpqos, and the message for each.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "pqos/fixture.h"

namespace hm::pqos_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Fault = EmulatedRegisters::Fault;

// libpqos prints nothing, and a working machine is opened afterwards.
class Opening : public PqosTest {
 protected:
  void SetUp() override {
    PqosTest::SetUp();
    if (IsSkipped()) return;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
  }

  void TearDown() override {
    if (IsSkipped()) return;
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    registers().reset();
    set_emulated_cpu({});
    EXPECT_TRUE(opened());
  }
};

TEST_F(Opening, OneAtATime) {
  auto provider = opened();
  EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("is already in use in this process"));
}

TEST_F(Opening, WithoutTheKernelsModule) {
  registers().set_fault(Fault::kNoFiles);
  EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported),
              AllOf(HasSubstr("/dev/cpu/"), HasSubstr("modprobe msr")));
}

TEST_F(Opening, WithoutPermission) {
  registers().set_fault(Fault::kOpenRefused);
  EXPECT_THAT(error_of_opening(ErrorCode::kPermission), HasSubstr("as root"));
}

TEST_F(Opening, WithoutTheRegister) {
  registers().set_fault(Fault::kReadRefused);
  EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("IA32_PQR_ASSOC"));
}

TEST_F(Opening, OnProcessorsThatMonitorNothing) {
  for (Vendor vendor : {Vendor::kIntel, Vendor::kAmd}) {
    set_emulated_cpu({.vendor = vendor, .monitors = false});
    EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("this processor cannot monitor"));
    set_emulated_cpu({.vendor = vendor, .occupancy = false});
    EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("this processor cannot monitor"));
    set_emulated_cpu({.vendor = vendor, .virtual_machine = true, .monitors = false});
    EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("virtual machine"));
  }
}

TEST_F(Opening, InAVirtualMachineThatMonitors) {
  set_emulated_cpu({.virtual_machine = true});
  EXPECT_TRUE(opened());
}

TEST_F(Opening, OnAnotherVendorsProcessor) {
  set_emulated_cpu({.vendor = Vendor::kOther});
  EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("SomebodyElse"));
}

// In this case libpqos 4.5 ends the process.
TEST_F(Opening, OnAmdsProcessorsThatCannotLimitBandwidth) {
  set_emulated_cpu({.vendor = Vendor::kAmd, .bandwidth_allocation = false});
  EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("cannot limit bandwidth"));
}

TEST_F(Opening, WhereAnotherInterfaceIsAskedFor) {
  ::setenv("RDT_IFACE", "OS", 1);
  EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("RDT_IFACE"));
  ::setenv("RDT_IFACE", "MSR", 1);
  EXPECT_TRUE(opened());
  ::unsetenv("RDT_IFACE");
}

TEST_F(Opening, BesideResctrl) {
  // The namespace is private to the process.
  ASSERT_EQ(::mount("none", "/sys/fs", "tmpfs", 0, nullptr), 0);
  ASSERT_EQ(::mkdir("/sys/fs/resctrl", 0755), 0);
  int file = ::open("/sys/fs/resctrl/cpus", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_GE(file, 0);
  ::close(file);
  EXPECT_THAT(error_of_opening(ErrorCode::kUnsupported), HasSubstr("resctrl is mounted"));
  EXPECT_EQ(::umount("/sys/fs"), 0);
}

// Starts a process that holds the lock until it is ended, and returns its id. The process writes "x" to
// `said` when it has the lock.
pid_t holder_of_lock(int said) {
  pid_t child = ::fork();
  if (child != 0) return child;
  int file = ::open("/var/lock/libpqos", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (::lockf(file, F_LOCK, 0) == 0 && ::write(said, "x", 1) == 1) ::pause();
  ::_exit(1);
}

TEST_F(Opening, WhileAnotherProgramHoldsTheLock) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  pid_t child = holder_of_lock(ends[1]);
  ASSERT_GT(child, 0);
  ::close(ends[1]);
  char said = 0;
  EXPECT_EQ(::read(ends[0], &said, 1), 1);
  EXPECT_THAT(error_of_opening(ErrorCode::kIo), HasSubstr(fmt::format("process {} holds", child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
}

// Runs in a process that has not loaded libpqos.
[[noreturn]] void open_without_library() {
  bool hidden = ::unshare(CLONE_NEWNS) == 0 &&
                ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                ::mount("/dev/null", "/usr/lib/libpqos.so.4", nullptr, MS_BIND, nullptr) == 0;
  if (!hidden) ::_exit(3);
  auto provider = rdt::open_pqos();
  bool told = !provider && provider.error().message.find("intel-cmt-cat") != std::string::npos;
  ::_exit(told ? 0 : 1);
}

TEST(OpeningDeathTest, WithoutTheLibrary) {
  if (::geteuid() != 0 || ::access("/usr/lib/libpqos.so.4", F_OK) != 0) {
    GTEST_SKIP() << "libpqos cannot be hidden: that needs root, and the library at Debian's place";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(open_without_library(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace hm::pqos_test
