// SPDX-License-Identifier: MIT
#include "base/process_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

TEST(ProcessTree, HasAllThatTheyStarted) {
  TemporaryFolder proc;
  const auto add = [&](const std::string& pid, const std::string& stat) {
    std::filesystem::create_directory(proc.file(pid));
    std::ofstream(proc.file(pid + "/stat")) << stat;
  };
  add("1", "1 (init) S 0 1 1 0");
  add("10", "10 (server) S 1 10 10 0");
  add("11", "11 (a) S 5 (b) R 10 10 10 0");
  add("12", "12 (worker) S 11 10 10 0");
  add("20", "20 (other) S 1 20 20 0");
  add("30", "30 (cut");
  add("31", "");
  add("self", "10 (server) S 1");
  add("13", "13 (zombie) Z 10 10 10 0");
  add("14", "14 (first thread ended) Z 10 10 10 0");
  std::filesystem::create_directories(proc.file("13/task/13"));
  std::filesystem::create_directories(proc.file("14/task/14"));
  std::filesystem::create_directories(proc.file("14/task/15"));
  std::string folder = proc.file("");
  EXPECT_EQ(with_descendants({10}, folder), (std::vector<pid_t>{10, 11, 12, 14}));
  EXPECT_EQ(with_descendants({12, 20}, folder), (std::vector<pid_t>{12, 20}));
  EXPECT_EQ(with_descendants({30, 99}, folder), (std::vector<pid_t>{}));
  EXPECT_EQ(with_descendants({1}, "/no/such/folder"), (std::vector<pid_t>{}));
}

// Here the read fails with EISDIR. If a process ends after its file was opened, the read fails with ESRCH
// instead.
TEST(ProcessTree, LeavesOutAProcessThatEndsWhileItIsRead) {
  TemporaryFolder proc;
  std::filesystem::create_directories(proc.file("11/stat"));
  std::filesystem::create_directory(proc.file("10"));
  std::ofstream(proc.file("10/stat")) << "10 (server) S 1 10 10 0";
  EXPECT_EQ(with_descendants({10, 11}, proc.file("")), (std::vector<pid_t>{10}));
}

}  // namespace
}  // namespace hm
