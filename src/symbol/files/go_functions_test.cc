// SPDX-License-Identifier: MIT
#include "symbol/files/go_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace hm::symbol {
namespace {

using ::testing::IsEmpty;

constexpr uint64_t kTextStart = 0x401000;

// main.main from 0x10 to 0x40 and main.walk from 0x40 to 0x90, as Go's linker writes them.
class GoTable {
 public:
  GoTable(uint32_t magic, bool relative, uint64_t recorded_start = kTextStart) : relative_(relative) {
    constexpr std::string_view kNames("main.main\0main.walk\0", 20);
    out_.u32(magic);
    constexpr uint8_t kPadding = 0, kSmallestInstruction = 1, kWordBytes = 8;
    for (uint8_t byte : {kPadding, kPadding, kSmallestInstruction, kWordBytes}) out_.u8(byte);
    uint64_t begin = out_.size() + (relative ? 8 : 7) * sizeof(uint64_t);
    out_.u64(2);
    out_.u64(0);
    if (relative) out_.u64(recorded_start);
    for (int i = 0; i < 4; ++i) out_.u64(begin);
    out_.u64(begin + kNames.size());
    out_.append(std::as_bytes(std::span(kNames)));
    uint64_t word = relative ? sizeof(uint32_t) : sizeof(uint64_t);
    uint64_t descriptions = 5 * word, base = relative ? 0 : kTextStart;
    for (uint64_t i = 0; i < 2; ++i) {
      number(base + kStarts[i]);
      number(descriptions + i * (word + sizeof(uint32_t)));
    }
    number(base + 0x90);
    for (uint32_t i = 0; i < 2; ++i) {
      number(base + kStarts[i]);
      out_.u32(10 * i);
    }
  }

  [[nodiscard]] Bytes bytes() const { return out_.bytes(); }

 private:
  static constexpr uint64_t kStarts[] = {0x10, 0x40};

  void number(uint64_t value) { relative_ ? out_.u32(static_cast<uint32_t>(value)) : out_.u64(value); }

  bool relative_;
  ByteWriter out_;
};

void expect_both(Bytes table) {
  std::vector<RawSymbol> found = read_go_functions(table, kTextStart);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "main.main");
  EXPECT_EQ(found[0].start, kTextStart + 0x10);
  EXPECT_EQ(found[0].size, 0x30u);
  EXPECT_EQ(found[1].name, "main.walk");
  EXPECT_EQ(found[1].start, kTextStart + 0x40);
  EXPECT_EQ(found[1].size, 0x50u);
}

TEST(GoFunctions, OfAllFormats) {
  expect_both(GoTable(0xfffffffa, false).bytes());
  expect_both(GoTable(0xfffffff0, true).bytes());
  expect_both(GoTable(0xfffffff1, true).bytes());
}

TEST(GoFunctions, BeginAtTheTextIfTheTableLeavesThatOpen) {
  expect_both(GoTable(0xfffffff1, true, 0).bytes());
}

TEST(GoFunctions, OfUnknownOrDamagedTablesAreNone) {
  EXPECT_THAT(read_go_functions(GoTable(0xfffffffb, false).bytes(), kTextStart), IsEmpty());
  GoTable table(0xfffffff1, true);
  for (size_t size = 0; size < table.bytes().size(); ++size)
    EXPECT_THAT(read_go_functions(table.bytes().first(size), kTextStart), IsEmpty()) << size;
}

}  // namespace
}  // namespace hm::symbol
