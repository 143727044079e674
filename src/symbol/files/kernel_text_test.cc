// SPDX-License-Identifier: MIT
#include "symbol/files/kernel_text.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"

namespace hm::symbol {
namespace {

TEST(KernelText, IsReadOnceForManyModules) {
  TemporaryFolder folder;
  std::string path = folder.file("modules");
  EXPECT_EQ(kernel_text(path), nullptr);
  std::ofstream(path) << "ext4";
  std::shared_ptr<const std::string> text = kernel_text(path);
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(*text, "ext4");
  EXPECT_EQ(kernel_text(path), text);
}

}  // namespace
}  // namespace hm::symbol
