// SPDX-License-Identifier: MIT
#include "base/hex.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(Hex, IsReadAsItIsWritten) {
  std::vector<std::byte> bytes{std::byte{0}, std::byte{0x0f}, std::byte{0xab}, std::byte{0xff}};
  EXPECT_EQ(hex_of(bytes), "000fabff");
  EXPECT_EQ(bytes_of_hex("000fabff"), bytes);
  EXPECT_EQ(bytes_of_hex("000FABff"), bytes);
  EXPECT_EQ(hex_of({}), "");
  EXPECT_EQ(bytes_of_hex(""), std::vector<std::byte>());
}

TEST(Hex, OnlyPairsOfDigitsAreRead) {
  for (const char* digits : {"0", "000", "0g", "-1", " 1", "1 ", "0x"})
    EXPECT_EQ(bytes_of_hex(digits), std::nullopt) << digits;
}

TEST(HexNumber, IsReadWithAndWithoutPrefix) {
  EXPECT_EQ(hex_number("ff0"), 0xff0u);
  EXPECT_EQ(hex_number("0xffffffffa0000000"), 0xffffffffa0000000);
  for (const char* text : {"", "0x", "0xx1", "1 ", " 1", "-1", "g", "10000000000000000"})
    EXPECT_EQ(hex_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace hm
