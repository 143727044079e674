// SPDX-License-Identifier: MIT
#include "base/path_inside.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

namespace fs = std::filesystem;

class PathInsideTest : public ::testing::Test {
 protected:
  PathInsideTest() {
    fs::create_directories(root_ / "usr/lib");
    std::ofstream(root_ / "usr/lib/libc.so.6") << "the root's";
  }

  TemporaryFolder folder_;
  fs::path root_ = fs::canonical(folder_.file("")) / "root";
};

TEST_F(PathInsideTest, FollowsLinksAsInThatRoot) {
  fs::create_symlink("/usr/lib", root_ / "lib");
  fs::create_symlink("../../../../../usr/lib/libc.so.6", root_ / "usr/lib/up.so");
  EXPECT_EQ(path_inside(root_, "/lib/libc.so.6"), root_ / "usr/lib/libc.so.6");
  EXPECT_EQ(path_inside(root_, "/usr/lib/up.so"), root_ / "usr/lib/libc.so.6");
  EXPECT_EQ(path_inside(root_, "/usr/lib/libc.so.6"), root_ / "usr/lib/libc.so.6");
}

TEST_F(PathInsideTest, IsThePlainPathIfThereIsNoFile) {
  fs::create_symlink("/no/such/file", root_ / "dangling");
  EXPECT_EQ(path_inside(root_, "/dangling"), root_ / "dangling");
  EXPECT_EQ(path_inside(root_, "/nothing"), root_ / "nothing");
  EXPECT_EQ(path_inside(root_ / "none", "/nothing"), root_ / "none/nothing");
}

}  // namespace
}  // namespace hm
