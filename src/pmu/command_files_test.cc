// SPDX-License-Identifier: MIT
#include "pmu/command_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temporary_folder.h"
#include "base/text_file.h"

namespace hm::pmu {
namespace {

TEST(CommandFiles, NoneReplaceThoseOfHardmeter) {
  Result<CommandFiles> files = open_command_files(CommandOutput::kAsIs, "");
  ASSERT_TRUE(files);
  EXPECT_FALSE(files->input.valid());
  EXPECT_FALSE(files->output.valid());
}

TEST(CommandFiles, OutputMayGoToStandardErrorAlone) {
  Result<CommandFiles> files = open_command_files(CommandOutput::kToStandardError, "");
  ASSERT_TRUE(files);
  EXPECT_FALSE(files->input.valid());
  EXPECT_TRUE(files->output.valid());
  EXPECT_FALSE(files->also_errors);
}

TEST(CommandFiles, AFileIsEmptiedAndReceivesBoth) {
  TemporaryFolder folder;
  const std::string path = folder.file("output");
  for (int round = 0; round < 2; ++round) {
    Result<CommandFiles> files = open_command_files(CommandOutput::kToFile, path);
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_TRUE(files->also_errors);
    EXPECT_EQ(::write(files->output.get(), "text", 4), 4);
    char byte = 0;
    EXPECT_EQ(::read(files->input.get(), &byte, 1), 0);
  }
  EXPECT_EQ(read_text(path), "text");
}

TEST(CommandFiles, AFileThatCannotBeOpenedIsAnError) {
  Result<CommandFiles> files = open_command_files(CommandOutput::kToFile, "/nonexistent/output");
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().message, "cannot open /nonexistent/output: No such file or directory");
}

}  // namespace
}  // namespace hm::pmu
