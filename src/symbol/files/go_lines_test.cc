// SPDX-License-Identifier: MIT
#include "symbol/files/go_lines.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace hm::symbol {
namespace {

constexpr uint64_t kText = 0x401000;

// A table of values: pairs of a difference to the value before (that before the first is -1) and a code size.
void write_values(ByteWriter& out, const std::vector<std::pair<int, uint8_t>>& values) {
  int before = -1;
  for (auto [value, size] : values) {
    int difference = value - before;
    out.u8(static_cast<uint8_t>(difference < 0 ? -2 * difference - 1 : 2 * difference));
    out.u8(size);
    before = value;
  }
  out.u8(0);
}

// main.main from 0x10 to 0x40 in main.go, with main.add of add.go inlined from 0x20 to 0x30; the call is at
// 0x18.
struct OneFunction {
  GoTables tables{.functions = 1, .text_start = kText, .word_bytes = sizeof(uint32_t)};
  ByteWriter names, units, files, values, entries, trees;

  explicit OneFunction(GoTables::Version version) {
    tables.version = version;
    names.text(std::string_view("main.main\0main.add\0", 19));
    for (uint32_t offset : {0u, 8u}) units.u32(offset);
    files.text(std::string_view("main.go\0add.go\0", 15));
    values.u8(0);
    auto file_table = static_cast<uint32_t>(values.size());
    write_values(values, {{0, 0x10}, {1, 0x10}, {0, 0x10}});
    auto line_table = static_cast<uint32_t>(values.size());
    write_values(values, {{7, 0x10}, {3, 0x10}, {8, 0x10}});
    auto inlined_table = static_cast<uint32_t>(values.size());
    write_values(values, {{-1, 0x10}, {0, 0x10}, {-1, 0x10}});
    for (uint32_t number : {0x10u, 12u, 0x40u}) entries.u32(number);
    for (uint32_t number : {0x10u, 0u, 0u, 0u, 0u, file_table, line_table, 3u, 0u}) entries.u32(number);
    if (version == GoTables::Version::k1_20) entries.u32(6);
    entries.u32(4u << 24);  // the number of data items is the last byte
    for (uint32_t number : {0u, 0u, inlined_table}) entries.u32(number);
    for (uint32_t number : {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0u}) entries.u32(number);
    trees.u32(0);
    if (version == GoTables::Version::k1_18) trees.u64(0);
    for (uint32_t number : {10u, 8u}) trees.u32(number);
    if (version == GoTables::Version::k1_20) trees.u32(2);
  }

  [[nodiscard]] GoLines lines(bool with_trees = true) {
    tables.names = names.bytes();
    tables.units = units.bytes();
    tables.files = files.bytes();
    tables.values = values.bytes();
    tables.entries = entries.bytes();
    return {tables, with_trees ? trees.bytes() : Bytes()};
  }
};

std::string text_of_frames(const std::vector<Frame>& frames) {
  std::string text;
  for (const Frame& frame : frames)
    text +=
        frame.function + " " + frame.file + ":" + std::to_string(frame.line) + (frame.inlined ? " < " : "");
  return text;
}

TEST(GoLines, FunctionsLinesAndInlinedFunctions) {
  for (GoTables::Version version : {GoTables::Version::k1_18, GoTables::Version::k1_20}) {
    OneFunction program(version);
    GoLines lines = program.lines();
    EXPECT_EQ(text_of_frames(lines.at(kText + 0x10)), "main.main main.go:7");
    EXPECT_EQ(text_of_frames(lines.at(kText + 0x2f)), "main.add add.go:3 < main.main main.go:7");
    EXPECT_EQ(text_of_frames(lines.at(kText + 0x30)), "main.main main.go:8");
    EXPECT_EQ(text_of_frames(lines.at(kText + 0x0f)), "");
    EXPECT_EQ(text_of_frames(lines.at(kText + 0x40)), "");
  }
}

TEST(GoLines, WithoutTreesNoFunctionIsInlined) {
  EXPECT_EQ(text_of_frames(OneFunction(GoTables::Version::k1_20).lines(false).at(kText + 0x20)),
            "main.main add.go:3");
}

// A call that refers to itself.
TEST(GoLines, EndlessInliningEnds) {
  OneFunction program(GoTables::Version::k1_20);
  program.trees.patch(2 * sizeof(uint32_t), uint32_t{0x10});
  std::vector<Frame> frames = program.lines().at(kText + 0x20);
  EXPECT_LT(frames.size(), 100u);
  EXPECT_FALSE(frames.back().inlined);
}

TEST(GoLines, CutTablesGiveFewerLines) {
  OneFunction program(GoTables::Version::k1_20);
  GoLines whole = program.lines();
  for (Bytes GoTables::*part :
       {&GoTables::names, &GoTables::units, &GoTables::files, &GoTables::values, &GoTables::entries}) {
    for (size_t size = 0; size < (program.tables.*part).size(); ++size) {
      GoTables cut = program.tables;
      cut.*part = (cut.*part).first(size);
      (void)GoLines(cut, program.trees.bytes()).at(kText + 0x20);
    }
  }
  EXPECT_EQ(whole.at(kText + 0x20).size(), 2u);
}

// The description of a module: 41 words, of which the first is the table's address and the last that of the
// trees.
TEST(GoLines, TreesAreFoundInTheData) {
  ByteWriter data;
  for (uint64_t word : {uint64_t{1}, uint64_t{0x5000}}) data.u64(word);
  for (int i = 1; i < 40; ++i) data.u64(7);
  data.u64(0x9000);
  ByteWriter trees;
  trees.u32(1);
  auto bytes_at = [&](uint64_t address) { return address == 0x9000 ? trees.bytes() : Bytes(); };
  EXPECT_EQ(find_go_inline_trees(data.bytes(), 0x5000, GoTables::Version::k1_20, bytes_at).size(), 4u);
  EXPECT_TRUE(find_go_inline_trees(data.bytes(), 0x5000, GoTables::Version::k1_18, bytes_at).empty());
  EXPECT_TRUE(find_go_inline_trees(data.bytes(), 0x6000, GoTables::Version::k1_20, bytes_at).empty());
}

}  // namespace
}  // namespace hm::symbol
