// SPDX-License-Identifier: MIT
#include "base/proc_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

using ::testing::HasSubstr;

TEST(ProcFolder, IsThere) { EXPECT_TRUE(check_proc()); }

TEST(ProcFolder, IsEmpty) {
  TemporaryFolder folder;
  for (const std::string& missing : {folder.file(""), folder.file("no")}) {
    Status status = check_proc(missing);
    ASSERT_FALSE(status) << missing;
    EXPECT_THAT(status.error().message, HasSubstr("no proc file system is mounted at " + missing));
    EXPECT_THAT(status.error().message, HasSubstr("mount -t proc proc " + missing));
  }
}

// /proc/self leads nowhere if the process has no number in the PID namespace of the mount.
TEST(ProcFolder, IsOfAnotherNamespace) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("sys/kernel"));
  Status status = check_proc(folder.file(""));
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("is of another PID namespace"));
}

}  // namespace
}  // namespace hm
