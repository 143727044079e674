// SPDX-License-Identifier: MIT
#include "base/text_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

TEST(TextFile, IsReadWhole) {
  TemporaryFolder folder;
  std::string path = folder.file("text");
  std::string text(100'000, 'x');
  std::ofstream(path) << text << "\nend";
  EXPECT_EQ(read_text(path), text + "\nend");
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(read_text(path), "");
}

TEST(TextFile, OfSizeUnknownIsReadWhole) {
  std::optional<std::string> status = read_text("/proc/self/status");
  ASSERT_TRUE(status);
  EXPECT_TRUE(status->starts_with("Name:"));
}

TEST(TextFile, ThatOpensAndCannotBeReadIsNothing) {
  EXPECT_FALSE(read_text("/proc/self/mem"));  // like a file of a process that ended after the open
  EXPECT_FALSE(read_text("/proc/self"));
  EXPECT_FALSE(read_text("/no/such/file"));
}

}  // namespace
}  // namespace hm
