// SPDX-License-Identifier: MIT
#include "symbol/name_in_file.h"

#include <gtest/gtest.h>

namespace hm::symbol {
namespace {

TEST(NameInFile, TakesBothForms) {
  for (const char* text : {"src/one.c:helper", "helper (src/one.c)"}) {
    std::optional<NameInFile> parts = name_in_file(text);
    ASSERT_TRUE(parts) << text;
    EXPECT_EQ(parts->name, "helper");
    EXPECT_EQ(parts->file, "src/one.c");
    EXPECT_EQ(text_of(*parts), "helper (src/one.c)");
  }
  EXPECT_EQ(name_in_file("one.cc:app::walk(int)")->name, "app::walk(int)");
}

TEST(NameInFile, LeavesOtherNames) {
  for (const char* text : {"helper", "app::walk", "app::walk(int)", ":helper", "one.c:",
                           "(anonymous namespace)::walk()", "void (anonymous namespace)::walk<int>(int)",
                           "call(std::function<void (int)>)", "call(void (int))", " (one.c)", "helper ()"})
    EXPECT_FALSE(name_in_file(text)) << text;
}

TEST(NameInFile, FilesAreWholeComponents) {
  EXPECT_TRUE(is_file("/src/one.c", "one.c"));
  EXPECT_TRUE(is_file("/src/one.c", "src/one.c"));
  EXPECT_TRUE(is_file("one.c", "one.c"));
  EXPECT_FALSE(is_file("/src/bone.c", "one.c"));
  EXPECT_FALSE(is_file("one.c", "/src/one.c"));
}

TEST(ShortFile, IsAsLongAsTellsPathsApart) {
  EXPECT_EQ(short_file("/src/a/one.c", {"/src/a/one.c", "/src/a/two.c"}), "one.c");
  EXPECT_EQ(short_file("/src/a/one.c", {"/src/a/one.c", "/src/b/one.c"}), "a/one.c");
  EXPECT_EQ(short_file("/a/x/one.c", {"/a/x/one.c", "/b/x/one.c"}), "a/x/one.c");
  EXPECT_EQ(short_file("/one.c", {"/one.c", "/src/one.c"}), "/one.c");
  EXPECT_EQ(short_file("one.c", {"one.c", "src/one.c"}), "one.c");
  EXPECT_EQ(short_file("", {}), "");
}

}  // namespace
}  // namespace hm::symbol
