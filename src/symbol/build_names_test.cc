// SPDX-License-Identifier: MIT
#include "symbol/build_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "symbol/files/build_id.h"
#include "symbol/files/test_subjects.h"

namespace hm::symbol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A folder of debug files by build ID, as packages -dbgsym install it.
class BuildNamesTest : public testing::Test {
 protected:
  // Returns the path for the debug file of the build.
  [[nodiscard]] std::filesystem::path place() const {
    std::filesystem::path folder = folder_.file("root/.build-id/") + build_id_.substr(0, 2);
    std::filesystem::create_directories(folder);
    return folder / (build_id_.substr(2) + ".debug");
  }
  [[nodiscard]] BuildNames names() const {
    return BuildNames(
        DebugFiles::Options{.root = folder_.file("root"), .patience = std::chrono::milliseconds(500)});
  }

  TemporaryFolder folder_;
  std::string build_id_ = build_id_of(subject("subject")).value();
};

TEST_F(BuildNamesTest, NameAFunctionAndItsLineByADebugFileAlone) {
  std::filesystem::copy_file(subject("subject.debug"), place());
  Dso whole(subject("subject"), "");
  uint64_t start = symbol_of(whole, "_ZN7subject5StackIlE4pushERKl").start;
  BuildNames all = names();
  auto found = all.names_of(build_id_, {start, 0});
  ASSERT_TRUE(found && found->size() == 2);
  EXPECT_EQ(found->at(0).function, "subject::Stack<long>::push(long const&)");
  EXPECT_EQ(found->at(0).line.file, whole.line_of_address(start).file);
  EXPECT_EQ(found->at(0).line.line, whole.line_of_address(start).line);
  EXPECT_NE(found->at(0).line.line, 0u);
  EXPECT_EQ(found->at(1).function, "");
  EXPECT_EQ(found->at(1).line.line, 0u);
  EXPECT_THAT(all.problems(), IsEmpty());
}

TEST_F(BuildNamesTest, NoDebugFileIsNoProblem) {
  BuildNames all = names();
  EXPECT_FALSE(all.names_of(build_id_, {0x1000}));
  EXPECT_FALSE(all.names_of("not a build-id", {0x1000}));
  EXPECT_THAT(all.problems(), IsEmpty());
}

TEST_F(BuildNamesTest, AFileThatIsNoneOrOfAnotherBuildIsNotUsed) {
  std::ofstream(place()) << "no ELF file";
  BuildNames all = names();
  EXPECT_FALSE(all.names_of(build_id_, {0x1000}));
  EXPECT_THAT(all.problems(), ElementsAre(HasSubstr("is not an ELF file")));
  std::filesystem::remove(place());
  std::filesystem::copy_file(subject("library.so"), place());
  EXPECT_FALSE(names().names_of(build_id_, {0x1000}));
}

}  // namespace
}  // namespace hm::symbol
