// SPDX-License-Identifier: MIT
#include "base/maps_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

uint64_t make(const std::string& path) {
  std::ofstream(path) << "x";
  struct stat file {};
  EXPECT_EQ(::stat(path.c_str(), &file), 0);
  return file.st_ino;
}

TEST(MapsPath, TheFileThatExistsTellsWhetherALineFeedWasMeant) {
  TemporaryFolder folder;
  std::string shown = folder.file("two\\012lines"), fed = folder.file("two\nlines");
  EXPECT_EQ(path_in_maps(shown, 0), shown);  // neither exists
  uint64_t of_fed = make(fed);
  EXPECT_EQ(path_in_maps(shown, 0), fed);
  uint64_t of_literal = make(shown);
  EXPECT_EQ(path_in_maps(shown, of_fed), fed);
  EXPECT_EQ(path_in_maps(shown, of_literal), shown);
  EXPECT_EQ(path_in_maps(shown, 0), shown);
  EXPECT_EQ(path_in_maps("/plain", 0), "/plain");
}

TEST(MapsPath, TheMarkOfADeletedFileIsRemoved) {
  EXPECT_EQ(without_mark_of_deleted("/tmp/lib.so (deleted)"), "/tmp/lib.so");
  EXPECT_EQ(without_mark_of_deleted("/tmp/lib (deleted).so"), "/tmp/lib (deleted).so");
  EXPECT_EQ(without_mark_of_deleted(""), "");
}

}  // namespace
}  // namespace hm
