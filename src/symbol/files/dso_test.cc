// SPDX-License-Identifier: MIT
#include "symbol/files/dso.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "symbol/code/disassembly.h"
#include "symbol/files/build_id.h"
#include "symbol/files/test_subjects.h"
#include "symbol/files/vdso.h"

namespace hm::symbol {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const std::string kSubject = subject("subject");

constexpr const char* kTwiceInlined = "_ZN7subjectL13twice_inlinedERKSt6vectorIlSaIlEE";

TEST(Dso, NamesFunctionsByFileOffset) {
  Dso dso(kSubject, "");
  Symbol plain = symbol_of(dso, "plain_c_name");
  // In a small program, the linker maps code at file offset = address; this is checked, not assumed.
  std::optional<uint64_t> address = dso.address_of(plain.start);
  ASSERT_EQ(address, plain.start);
  Function function = dso.function_at(plain.start + 1);
  EXPECT_EQ(function.name, "plain_c_name");
  EXPECT_EQ(function.start, plain.start);
  EXPECT_EQ(function.size, plain.size);
  Function push = dso.function_at(symbol_of(dso, "_ZN7subject5StackIlE4pushERKl").start);
  EXPECT_EQ(push.name, "subject::Stack<long>::push(long const&)");
}

TEST(Dso, NamesPltStubs) {
  for (const std::string& file : {kSubject, kSubject + ".stripped"}) {
    Dso dso(file, "");
    EXPECT_THAT(symbol_names_of(dso), Contains("printf@plt")) << file;
    EXPECT_THAT(symbol_names_of(dso), Contains("abort@plt")) << file;
  }
}

TEST(Dso, CallsWhatHasNoSymbolByObjectAndOffset) {
  Dso whole(kSubject, "");
  uint64_t plain = symbol_of(whole, "plain_c_name").start;
  Dso stripped(kSubject + ".stripped", "");
  Function function = stripped.function_at(plain);
  EXPECT_FALSE(function.named);
  EXPECT_EQ(function.name, fmt::format("[symbol_subject.stripped+{:#x}]", plain));
  EXPECT_EQ(stripped.frames_at(plain).front().function, function.name);
  EXPECT_EQ(whole.function_at(1ull << 40).name, "[symbol_subject+0x10000000000]");
}

TEST(Dso, FindsTheSeparateDebugFile) {
  Dso whole(kSubject, "");
  Dso split(kSubject + ".split", "");
  Symbol function = symbol_of(whole, kTwiceInlined);
  EXPECT_EQ(split.function_at(function.start).name, whole.function_at(function.start).name);
  EXPECT_EQ(split.frames_at(function.start).front().line, whole.frames_at(function.start).front().line);
  EXPECT_NE(split.frames_at(function.start).front().line, 0u);
}

// Both calls of sum_of_squares are inlined into one function, and square into each of them.
TEST(Dso, GivesInlinedFramesInnermostFirst) {
  Dso dso(kSubject, "");
  Symbol function = symbol_of(dso, kTwiceInlined);
  bool seen = false;
  for (uint64_t address = function.start; address < function.start + function.size; ++address) {
    std::vector<Frame> frames = dso.frames_of_address(address);
    ASSERT_FALSE(frames.empty());
    EXPECT_FALSE(frames.back().inlined);
    EXPECT_THAT(frames.back().function, HasSubstr("twice_inlined"));
    if (frames.size() != 3 || frames[0].function.find("square") == std::string::npos) continue;
    seen = true;
    EXPECT_TRUE(frames[0].inlined && frames[1].inlined);
    EXPECT_THAT(frames[1].function, HasSubstr("sum_of_squares"));
    EXPECT_THAT(frames[0].file, HasSubstr("subject.cc"));
    EXPECT_EQ(dso.line_of_address(address).line, frames[0].line);
  }
  EXPECT_TRUE(seen);
}

// Only a call makes a frame, not a part of a function that was split off and inlined again.
TEST(Dso, GivesNoFrameForPartsOfAFunction) {
  Dso dso(kSubject, "");
  size_t parts = 0;
  for (const std::string& name : symbol_names_of(dso)) {
    if (name.find("call_once") == std::string::npos && name.find("call_each_once") == std::string::npos)
      continue;
    Symbol function = symbol_of(dso, name);
    for (uint64_t address = function.start; address < function.start + function.size; ++address) {
      std::vector<Frame> frames = dso.frames_of_address(address);
      size_t of_function = std::ranges::count_if(
          frames, [](const Frame& frame) { return frame.function.find("call_once") != std::string::npos; });
      ASSERT_LE(of_function, 1u);
      parts += of_function;
    }
  }
  EXPECT_GT(parts, 0u);
}

// The C runtime's start code has no line; the previous line in the table does not apply to it.
TEST(Dso, GivesNoLineWhereThereIsNone) {
  Dso dso(kSubject, "");
  Symbol start = symbol_of(dso, "_start");
  EXPECT_EQ(dso.line_of_address(start.start).line, 0u);
  EXPECT_EQ(dso.frames_of_address(start.start).front().function, "_start");
}

TEST(Dso, RefusesAnotherBuild) {
  Dso dso(kSubject, "0123456789abcdef0123456789abcdef01234567");
  EXPECT_FALSE(dso.function_at(0x1000).named);
  ASSERT_TRUE(dso.problem().has_value());
  EXPECT_THAT(dso.problem()->message, HasSubstr("was built again since"));
  Result<std::string> id = build_id_of(kSubject);
  ASSERT_TRUE(id.ok());
  Dso right(kSubject, *id);
  EXPECT_FALSE(right.symbols().empty());
}

TEST(Dso, SaysWhatIsWrongWithAFile) {
  for (const char* path : {"/nonexistent/file", "/dev/null", "/tmp", "relative"}) {
    Dso dso(path, "");
    EXPECT_FALSE(dso.function_at(0).named);
    EXPECT_TRUE(dso.problem().has_value()) << path;
  }
}

TEST(Dso, ReadsTheVdsoOfThisProcess) {
  if (vdso_image().empty()) GTEST_SKIP() << "this process has no vDSO";
  Dso dso(std::string(kVdsoPath), "");
  EXPECT_THAT(symbol_names_of(dso), Contains("__vdso_clock_gettime"));
}

TEST(Dso, UsesTheKernelOnlyWhereItsBuildIsKnown) {
  Dso dso("[kernel.kallsyms]_text", "");
  EXPECT_FALSE(dso.function_at(0x1000).named);
  EXPECT_TRUE(dso.problem().has_value());
  EXPECT_EQ(dso.function_at(0x1000).name, "[kernel]");
  EXPECT_EQ(dso.function_at(0x1000).start, dso.function_at(0x2000).start) << "they are one row";
}

TEST(Dso, GivesCode) {
  Dso dso(kSubject, "");
  Symbol function = symbol_of(dso, "plain_c_name");
  Result<Bytes> code = dso.code(function.start, function.size);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(code->size(), function.size);
  EXPECT_FALSE(dso.code(1ull << 40, 16).ok());
  Result<Bytes> clipped = dso.code(function.start, UINT64_MAX);
  ASSERT_TRUE(clipped.ok());
  EXPECT_LT(clipped->size(), std::filesystem::file_size(kSubject));
}

TEST(BuildId, OfFilesAndTheVdso) {
  Result<std::string> id = build_id_of(kSubject);
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(id->size(), 40u);
  EXPECT_EQ(*id, *build_id_of(kSubject + ".stripped"));
  EXPECT_FALSE(build_id_of("/nonexistent").ok());
  EXPECT_FALSE(build_id_of("/proc/self/status").ok());
  EXPECT_EQ(vdso_build_id().ok(), !vdso_image().empty());
}

TEST(BuildId, ShorterOnesArePaddedWithZeros) {
  EXPECT_TRUE(same_build_id("abcd", "abcd"));
  EXPECT_TRUE(same_build_id("abcd", "abcd0000"));
  EXPECT_FALSE(same_build_id("abcd", "abcd0001"));
  EXPECT_FALSE(same_build_id("", "0000"));
}

}  // namespace
}  // namespace hm::symbol
