// SPDX-License-Identifier: MIT
#include "symbol/files/jitdump.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"
#include "symbol/files/dso.h"

namespace hm::symbol {
namespace {

// Writes a dump as a compiler does, in this machine's byte order or the other.
class Dump {
 public:
  explicit Dump(bool swap = false) : swap_(swap) {
    u32(0x4a695444);
    u32(1);
    u32(40);
    for (uint32_t word : {62u, 0u, 1234u}) u32(word);  // machine, padding, process
    u64(1);
    u64(0);
  }

  Dump& load(uint64_t start, std::string_view name, std::string_view code) {
    begin(0, 8 + 4 * 8 + name.size() + 1 + code.size());
    u32(1234);
    u32(1234);
    u64(start);
    u64(start);
    u64(code.size());
    u64(7);
    text(name);
    out_.text(code);
    return *this;
  }
  Dump& move(uint64_t from, uint64_t to, uint64_t size) {
    begin(1, 8 + 5 * 8);
    u32(1234);
    u32(1234);
    for (uint64_t word : {to, from, to, size, uint64_t{7}}) u64(word);
    return *this;
  }
  Dump& lines(uint64_t start, const std::vector<std::pair<uint64_t, uint32_t>>& lines) {
    begin(2, 2 * 8 + lines.size() * 16 + 5 + (lines.size() - 1) * 2);
    u64(start);
    u64(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      u64(lines[i].first);
      u32(lines[i].second);
      u32(0);
      text(i == 0 ? "f.js" : "\xff");
    }
    return *this;
  }
  [[nodiscard]] Bytes bytes() const { return out_.bytes(); }

 private:
  void u32(uint32_t value) { out_.u32(swap_ ? byte_swap(value) : value); }
  void u64(uint64_t value) { out_.u64(swap_ ? byte_swap(value) : value); }
  void text(std::string_view text) {
    out_.text(text);
    out_.u8(0);
  }
  void begin(uint32_t type, size_t payload) {
    u32(type);
    u32(static_cast<uint32_t>(16 + payload));
    u64(5);
  }

  bool swap_;
  ByteWriter out_;
};

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

// A compiler writes while it runs: its file may end anywhere.
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
