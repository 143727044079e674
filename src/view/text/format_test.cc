// SPDX-License-Identifier: MIT
#include "view/text/format.h"

#include <gtest/gtest.h>

namespace hm::text {
namespace {

TEST(Format, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(percent(0.12345), "12.3%");
}

TEST(Format, ElidesTheMiddleByCodePoints) {
  EXPECT_EQ(elided("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(elided("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(elided("abcdefgh", 4), "ab…h");
  EXPECT_EQ(elided("日本語の関数名", 5), "日本…数名");
  EXPECT_EQ(elided("abc", 1), "…");
  EXPECT_EQ(elided("abc", 0), "");
  for (size_t columns = 0; columns < 9; ++columns)
    EXPECT_LE(columns_of(elided("日本語の関数名", columns)), columns);
}

TEST(Format, WrapsAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 0, 2), "one two three");
  EXPECT_EQ(wrapped("one two three", 13, 2), "one two three");
  EXPECT_EQ(wrapped("one two three", 12, 2), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 6, 2), "one\n  two\n  three");
  EXPECT_EQ(wrapped("head   incomprehensibilities follow", 12, 4),
            "head  \n    incomprehensibilities\n    follow");
  EXPECT_EQ(wrapped("関数名 関数名", 5, 0), "関数名\n関数名");
}

TEST(Format, NothingReachesTheTerminalThatItWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a?[31mb?");
  EXPECT_EQ(printable("\xff"
                      "a\xe3\x81"),
            "?a??");
  EXPECT_EQ(printable("héllo"), "héllo");
}

}  // namespace
}  // namespace hm::text
