// SPDX-License-Identifier: MIT
#include "base/cgroup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

TEST(CgroupTest, ProcessesAreThoseOfTheGroupAndOfAllBelow) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("a/b"));
  std::ofstream(folder.file("cgroup.procs")) << "30\n7\n";
  std::ofstream(folder.file("a/cgroup.procs")) << "";
  std::ofstream(folder.file("a/b/cgroup.procs")) << "12\n7\n";
  auto found = processes_in_cgroup(folder.file(""));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, (std::vector<pid_t>{7, 12, 30}));
}

TEST(CgroupTest, OneThatIsNotThereIsAnError) {
  auto found = processes_in_cgroup("no/such/group");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "cannot open the cgroup 'no/such/group' below /sys/fs/cgroup/: No such file or directory");
}

TEST(CgroupTest, ThePathOfAProcessIsTheUnifiedOneUnlessThatIsTheRoot) {
  EXPECT_EQ(cgroup_in("12:cpu:/a\n1:name=systemd:/b\n0::/c\n"), "/c");
  EXPECT_EQ(cgroup_in("12:cpu:/a\n1:name=systemd:/b\n0::/\n"), "/b");
  EXPECT_EQ(cgroup_in("12:cpu:/a\n1:name=systemd:/\n"), "/");
  EXPECT_EQ(cgroup_in("12:cpu:/\n0::/\n"), "/");
  EXPECT_EQ(cgroup_in(""), "/");
  EXPECT_EQ(cgroup_in("no colon\n:\n0:"), "/");
}

TEST(CgroupTest, ContainersGoByTheirId) {
  std::string id(64, 'a');
  EXPECT_EQ(container_in("docker-" + id + ".scope").value_or(Container()).runtime, "docker");
  EXPECT_EQ(container_in("cri-containerd-" + id + ".scope").value_or(Container()).runtime, "containerd");
  ASSERT_TRUE(container_in(id));
  EXPECT_EQ(container_in(id)->id, id);
  EXPECT_EQ(container_in(id)->runtime, "");
  EXPECT_FALSE(container_in("docker-" + id.substr(1) + ".scope"));
  EXPECT_FALSE(container_in("docker-" + std::string(64, 'g')));
  EXPECT_FALSE(container_in("other-" + id));
  EXPECT_FALSE(container_in("cron.service"));
}

}  // namespace
}  // namespace hm
