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

}  // namespace
}  // namespace hm
