// SPDX-License-Identifier: MIT
#include "rpc/lines.h"

#include <gtest/gtest.h>

namespace hm::rpc {
namespace {

TEST(Lines, AreSplitAtLineFeedsWhateverThePieces) {
  Lines lines(10);
  for (char byte : std::string_view("ab\n\nc")) {
    lines.add({&byte, 1});
    EXPECT_EQ(lines.next().has_value(), byte == '\n');
  }
  EXPECT_EQ(lines.rest()->text, "c");
  EXPECT_FALSE(lines.rest().has_value());
}

TEST(Lines, LongLinesAreDroppedAndTheNextOneIsRead) {
  Lines lines(4);
  lines.add("abcd\nabc");
  EXPECT_EQ(lines.next()->text, "abcd");
  EXPECT_FALSE(lines.next().has_value());
  lines.add("defg");
  EXPECT_FALSE(lines.next().has_value());
  lines.add("h\nok\n");
  EXPECT_TRUE(lines.next()->too_long);
  EXPECT_EQ(lines.next()->text, "ok");
  lines.add("abcde");
  EXPECT_FALSE(lines.next().has_value());
  EXPECT_TRUE(lines.rest()->too_long);
}

}  // namespace
}  // namespace hm::rpc
