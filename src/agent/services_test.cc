// SPDX-License-Identifier: MIT
#include "agent/services.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm::agent {
namespace {

const std::string kId(64, 'a');

TEST(ServiceOfCgroup, IsTheInnermostUnit) {
  EXPECT_EQ(service_of_cgroup("0::/system.slice/cron.service\n"), "cron.service");
  EXPECT_EQ(service_of_cgroup("0::/system.slice/system-postgresql.slice/postgresql@15-main.service\n"),
            "postgresql@15-main.service");
  EXPECT_EQ(service_of_cgroup("0::/system.slice/foo.service/payload\n"), "foo.service");
}

TEST(ServiceOfCgroup, IsAContainerWhereverItRuns) {
  EXPECT_EQ(service_of_cgroup("0::/system.slice/docker-" + kId + ".scope\n"), "container:aaaaaaaaaaaa");
  EXPECT_EQ(service_of_cgroup("0::/docker/" + kId + "\n"), "container:aaaaaaaaaaaa");
  EXPECT_EQ(service_of_cgroup("0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-" + kId + ".scope\n"),
            "container:aaaaaaaaaaaa");
  // A service inside a container is that of its unit: it is nearer.
  EXPECT_EQ(service_of_cgroup("0::/docker/" + kId + "/system.slice/cron.service\n"),
            "container:aaaaaaaaaaaa");
}

TEST(ServiceOfCgroup, IsThePathOfAnotherGroup) {
  EXPECT_EQ(service_of_cgroup("0::/batch/nightly\n"), "/batch/nightly");
}

TEST(ServiceOfCgroup, IsNothingInTheRootOrASession) {
  EXPECT_EQ(service_of_cgroup("0::/\n"), "");
  EXPECT_EQ(service_of_cgroup(""), "");
  EXPECT_EQ(service_of_cgroup("no colon"), "");
  EXPECT_EQ(service_of_cgroup("0::/init.scope\n"), "");
  EXPECT_EQ(service_of_cgroup("0::/user.slice/user-1000.slice/session-3.scope\n"), "");
  EXPECT_EQ(service_of_cgroup("0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.service\n"),
            "");
}

TEST(ServiceOfCgroup, KnowsVersion1) {
  EXPECT_EQ(service_of_cgroup(
                "12:cpu,cpuacct:/system.slice/a.service\n1:name=systemd:/system.slice/b.service\n0::/\n"),
            "b.service");
}

class FakeProc : public ::testing::Test {
 protected:
  void add(int pid, const std::string& cgroup, const std::string& cmdline, const std::string& exe) {
    std::string folder = proc_.file(std::to_string(pid));
    std::filesystem::create_directory(folder);
    std::ofstream(folder + "/cgroup") << cgroup;
    std::ofstream(folder + "/cmdline") << cmdline;
    if (!exe.empty()) std::filesystem::create_symlink(exe, folder + "/exe");
  }

  TemporaryFolder proc_;
};

TEST_F(FakeProc, ProcessesGoByTheirServiceElseByTheirName) {
  add(1, "0::/system.slice/web.service\n", "web", "/usr/bin/web");
  add(2, "0::/\n", "tool", "/usr/bin/tool");
  add(3, "0::/\n", "", "");
  Services services(proc_.file(""));
  EXPECT_EQ(services.process(1, "w").service, "web.service");
  EXPECT_EQ(services.process(1, "w").executable, "/usr/bin/web");
  EXPECT_EQ(services.process(2, "tool").service, "tool");
  EXPECT_EQ(services.process(3, "kworker/0").service, "[kernel]");
  EXPECT_EQ(services.process(4, "gone").service, "gone");
}

}  // namespace
}  // namespace hm::agent
