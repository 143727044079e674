// SPDX-License-Identifier: MIT
#include "agent/window_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder.h"
#include "base/text_file.h"
#include "symbol/file_resolver.h"

namespace hm::agent {
namespace {

TEST(WindowFiles, AreReplacedAndRemoved) {
  TemporaryFolder temporary;
  std::string folder = temporary.file("");
  for (const char* request : {"first", "second"}) {
    ASSERT_TRUE(write_window_otlp(folder, request));
    EXPECT_EQ(read_text(otlp_file(folder)), request);
  }
  EXPECT_TRUE(write_window_pprof(folder, profile::Profile(), symbol::FileResolver(), {}, 1, 1));
  EXPECT_EQ(read_text(pprof_file(folder)).value_or("").substr(0, 2), "\x1f\x8b");
  remove_window_files(folder);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_FALSE(write_window_otlp(temporary.file("none"), "third"));
}

}  // namespace
}  // namespace hm::agent
