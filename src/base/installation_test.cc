// SPDX-License-Identifier: MIT
#include "base/installation.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(Installation, HasThisProgramBelowIt) {
  auto folder = installation_folder();
  ASSERT_TRUE(folder) << folder.error().message;
  auto program = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(*folder / program.parent_path().filename() / program.filename(), program);
}

}  // namespace
}  // namespace hm
