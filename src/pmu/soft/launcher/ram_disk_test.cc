// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/ram_disk.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/temporary_folder.h"

namespace hm::soft {
namespace {

namespace fs = std::filesystem;

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return (std::ostringstream() << file.rdbuf()).str();
}

TEST(RamDisk, ConsistsOfAlignedEntriesAndATrailer) {
  RamDisk disk;
  disk.add_file("a", "xyz");
  std::string archive = disk.finish();
  EXPECT_EQ(archive.size() % 4, 0u);
  EXPECT_EQ(archive.substr(0, 6), "070701");
  EXPECT_EQ(archive.substr(110, 2), std::string("a\0", 2));
  EXPECT_EQ(archive.substr(112, 3), "xyz");
  EXPECT_NE(archive.find("TRAILER!!!"), std::string::npos);
}

TEST(RamDisk, IsReadByCpio) {
  if (std::system("command -v cpio >/dev/null") != 0) GTEST_SKIP() << "there is no cpio here";
  RamDisk disk;
  disk.add_program("init", std::string("#!\0\n", 4));
  disk.add_folder("folder");
  disk.add_file("folder/empty", "");
  disk.add_file("folder/file", std::string(1001, 'x'));
  TemporaryFolder folder;
  std::ofstream(folder.file("disk"), std::ios::binary) << disk.finish();
  std::string unpack = "cd '" + folder.file("") + "' && cpio -i --quiet < disk";
  ASSERT_EQ(std::system(unpack.c_str()), 0);
  EXPECT_EQ(text_of_file(folder.file("init")), std::string("#!\0\n", 4));
  EXPECT_EQ(text_of_file(folder.file("folder/empty")), "");
  EXPECT_EQ(text_of_file(folder.file("folder/file")), std::string(1001, 'x'));
  EXPECT_NE(fs::status(folder.file("init")).permissions() & fs::perms::owner_exec, fs::perms::none);
}

}  // namespace
}  // namespace hm::soft
