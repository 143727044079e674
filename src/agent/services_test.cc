// SPDX-License-Identifier: MIT
#include "agent/services.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const std::string kId(64, 'a');

std::string service_of(const std::string& cgroup) { return Services().of_cgroup(cgroup, ""); }

TEST(ServiceOfCgroup, IsTheInnermostUnit) {
  EXPECT_EQ(service_of("/system.slice/cron.service"), "cron.service");
  EXPECT_EQ(service_of("/system.slice/system-postgresql.slice/postgresql@15-main.service"),
            "postgresql@15-main.service");
  EXPECT_EQ(service_of("/system.slice/foo.service/payload"), "foo.service");
}

TEST(ServiceOfCgroup, IsAContainerWhereverItRuns) {
  EXPECT_EQ(service_of("/system.slice/docker-" + kId + ".scope"), "container:aaaaaaaaaaaa");
  EXPECT_EQ(service_of("/docker/" + kId), "container:aaaaaaaaaaaa");
  EXPECT_EQ(service_of("/kubepods.slice/kubepods-pod1.slice/cri-containerd-" + kId + ".scope"),
            "container:aaaaaaaaaaaa");
  // A systemd service inside a container belongs to the container.
  EXPECT_EQ(service_of("/docker/" + kId + "/system.slice/cron.service"), "container:aaaaaaaaaaaa");
}

TEST(ServiceOfCgroup, IsThePathOfAnotherGroup) { EXPECT_EQ(service_of("/batch/nightly"), "/batch/nightly"); }

TEST(ServiceOfCgroup, IsNothingInTheRootOrASession) {
  EXPECT_EQ(service_of("/"), "");
  EXPECT_EQ(service_of(""), "");
  EXPECT_EQ(service_of("/init.scope"), "");
  EXPECT_EQ(service_of("/user.slice/user-1000.slice/session-3.scope"), "");
  EXPECT_EQ(service_of("/user.slice/user-1000.slice/user@1000.service/app.slice/term.service"), "");
}

class FakeProc : public ::testing::Test {
 protected:
  void add(int pid, const std::string& cgroup, const std::string& cmdline, const std::string& exe) {
    std::string folder = root_.file("proc/" + std::to_string(pid));
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/cgroup") << cgroup;
    std::ofstream(folder + "/cmdline") << cmdline;
    if (!exe.empty()) std::filesystem::create_symlink(exe, folder + "/exe");
  }

  TemporaryFolder root_;
};

TEST_F(FakeProc, ProcessesGoByTheirServiceElseByTheirName) {
  add(1, "0::/system.slice/web.service\n", "web", "/usr/bin/web");
  add(2, "0::/\n", "tool", "/usr/bin/tool");
  add(3, "0::/\n", "", "");
  Services services(root_.file(""));
  EXPECT_EQ(services.process(1, "w").service, "web.service");
  EXPECT_EQ(services.process(1, "w").executable, "/usr/bin/web");
  EXPECT_EQ(services.process(2, "tool").service, "tool");
  EXPECT_EQ(services.process(3, "kworker/0").service, "[kernel]");
  EXPECT_EQ(services.process(4, "gone").service, "gone");
}

TEST_F(FakeProc, AServiceHasSeveralProcesses) {
  add(1, "0::/system.slice/web.service\n", "web", "/usr/bin/web");
  add(12, "0::/system.slice/web.service/worker\n", "worker", "/usr/bin/web");
  add(2, "0::/\n", "tool", "/usr/bin/tool");
  add(3, "0::/\n", "", "");
  std::ofstream(root_.file("proc/2/comm")) << "tool\n";
  std::filesystem::create_directory(root_.file("proc/sys"));
  Services services(root_.file(""));
  EXPECT_THAT(services.processes_of("web.service"), UnorderedElementsAre(1, 12));
  EXPECT_THAT(services.processes_of("tool"), ElementsAre(2));
  EXPECT_THAT(services.processes_of("nobody"), IsEmpty());
}

}  // namespace
}  // namespace hm::agent
