// SPDX-License-Identifier: MIT
#include "symbol/files/jitdump.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"
#include "symbol/files/dso.h"
#include "symbol/files/test_jitdump.h"

namespace hm::symbol {
namespace {

std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST(JitDump, KnowsItsFilesByName) {
  EXPECT_TRUE(JitDump::is_name_of_one("/home/a/jit-1234.dump"));
  EXPECT_TRUE(JitDump::is_name_of_one("jit-1.dump"));
  for (const char* other :
       {"jit-.dump", "/x/jit-12.dumps", "jit-1a.dump", "ajit-1.dump", "jit-1", "/tmp/perf-1.map", ""})
    EXPECT_FALSE(JitDump::is_name_of_one(other)) << other;
}

TEST(JitDump, HasNamesCodeAndLines) {
  for (bool swap : {false, true}) {
    Dump dump(swap);
    dump.lines(0x1000, {{0x1000, 3}, {0x1004, 5}}).load(0x1000, "f", "abcdefgh").load(0x2000, "g", "xyz");
    Result<JitDump> read = JitDump::over(dump.bytes());
    ASSERT_TRUE(read.ok());
    SymbolTable symbols = read->symbols();
    ASSERT_EQ(symbols.size(), 2u);
    EXPECT_EQ(symbols.find(0x1007)->name, "f");
    EXPECT_FALSE(symbols.find(0x1008).has_value());
    EXPECT_EQ(text_of(read->code_at(0x1002, 3)), "cde");
    EXPECT_EQ(text_of(read->code_at(0x1006, 100)), "gh");
    EXPECT_TRUE(read->code_at(0x1800, 1).empty());
    EXPECT_EQ(read->line_at(0x1003).line, 3u);
    EXPECT_EQ(read->line_at(0x1004).line, 5u);
    EXPECT_EQ(read->line_at(0x1004).file, "f.js");
    EXPECT_EQ(read->line_at(0x2000).line, 0u);
  }
}

TEST(JitDump, TheLastCodeAtAnAddressCounts) {
  Dump dump;
  dump.load(0x1000, "old", "abcdefgh").load(0x1004, "new", "xyz").load(0x3000, "moved", "123");
  dump.lines(0x4000, {{0x4000, 9}})
      .load(0x4000, "lined", "45")
      .move(0x3000, 0x5000, 3)
      .move(0x4000, 0x6000, 2);
  Result<JitDump> read = JitDump::over(dump.bytes());
  ASSERT_TRUE(read.ok());
  SymbolTable symbols = read->symbols();
  EXPECT_FALSE(symbols.find(0x1000).has_value());
  EXPECT_EQ(symbols.find(0x1004)->name, "new");
  EXPECT_FALSE(symbols.find(0x3000).has_value());
  EXPECT_EQ(symbols.find(0x5002)->name, "moved");
  EXPECT_EQ(read->line_at(0x6001).line, 9u);
}

// Replaced code keeps its name at a separate address, to which earlier samples refer.
TEST(JitDump, ReplacedCodeKeepsItsName) {
  Dump dump;
  dump.lines(0x1000, {{0x1000, 3}}).at(10).load(0x1000, "old", "abcd").at(20).load(0x1000, "new", "efgh");
  dump.at(30).load(0x2000, "moved", "xyz").at(40).move(0x2000, 0x3000, 3);
  Result<JitDump> read = JitDump::over(dump.bytes());
  ASSERT_TRUE(read.ok());
  CodeLoads code = read->loads();
  EXPECT_TRUE(code.is_monotonic);
  ASSERT_EQ(code.loads.size(), 4u);
  uint64_t old = code.loads[0].address;
  EXPECT_GE(old, JitDump::kReplaced);
  EXPECT_EQ(code.loads[0].time_ns, 10u);
  EXPECT_EQ(read->symbols().find(old + 1)->name, "old");
  EXPECT_EQ(text_of(read->code_at(old + 1, 2)), "bc");
  EXPECT_EQ(read->line_at(old).line, 3u);
  EXPECT_EQ(code.loads[1].address, 0x1000u);
  EXPECT_EQ(read->line_at(0x1000).line, 0u);
  EXPECT_EQ(code.loads[2].start, 0x2000u);
  EXPECT_EQ(code.loads[2].address, 0x3000u);
  EXPECT_EQ(code.loads[3].address, 0x3000u);
}

TEST(JitDump, CodeThatStaysNeedsNoTimes) {
  Dump dump;
  dump.load(0x1000, "f", "abcd").load(0x2000, "g", "xyz");
  Result<JitDump> read = JitDump::over(dump.bytes());
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->loads().loads.empty());
}

TEST(JitDump, TheProcessorsClockIsNotMonotonic) {
  Dump dump(false, 1);
  Result<JitDump> read = JitDump::over(dump.load(0x1000, "f", "abcd").load(0x1000, "g", "xyz").bytes());
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->loads().is_monotonic);
}

// A compiler writes the dump while it runs, so the file may end at any byte.
TEST(JitDump, CutOffAnywhereItHasWhatIsWhole) {
  Dump dump;
  dump.lines(0x1000, {{0x1000, 3}}).load(0x1000, "f", "abcd").load(0x2000, "g", "xyz");
  Bytes whole = dump.bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    Result<JitDump> read = JitDump::over(whole.first(size));
    EXPECT_LE(read.ok() ? read->symbols().size() : 0, 1u) << size;
  }
  EXPECT_FALSE(JitDump::over(whole.first(3)).ok());
  EXPECT_FALSE(JitDump::over(whole.subspan(1)).ok());
}

TEST(JitDump, IsAnObjectOfARecording) {
  TemporaryFolder folder;
  std::string path = folder.file("jit-1234.dump");
  Dump dump;
  dump.lines(0x1000, {{0x1000, 3}}).load(0x1000, "f", "\xc3");
  std::string text = text_of(dump.bytes());
  std::ofstream(path, std::ios::binary) << text;
  Dso dso(path, "");
  EXPECT_EQ(dso.function_at(0x1000).name, "f");
  EXPECT_EQ(dso.line_of_address(0x1000).line, 3u);
  EXPECT_EQ(dso.frames_at(0x1000).front().line, 3u);
  Result<Bytes> code = dso.code(0x1000, 1);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(text_of(*code), "\xc3");
}

}  // namespace
}  // namespace hm::symbol
