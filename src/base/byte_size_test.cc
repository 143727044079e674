// SPDX-License-Identifier: MIT
#include "base/byte_size.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(ByteSize, ReadsUnits) {
  EXPECT_EQ(parse_byte_size("4096"), 4096);
  EXPECT_EQ(parse_byte_size("48K"), 48 << 10);
  EXPECT_EQ(parse_byte_size("2m"), 2 << 20);
  EXPECT_EQ(parse_byte_size("1024G"), uint64_t{1} << 40);
}

TEST(ByteSize, RefusesWhatIsNone) {
  for (const char* text : {"", "0", "0K", "K", "-1", "1T", "1KB", "1.5M", "1025G", "99999999999999999999"}) {
    EXPECT_FALSE(parse_byte_size(text)) << text;
  }
}

TEST(ByteSize, IsShownInItsWholeUnit) {
  EXPECT_EQ(byte_size_text(32 << 10), "32 KiB");
  EXPECT_EQ(byte_size_text(1280 << 10), "1280 KiB");
  EXPECT_EQ(byte_size_text(32 << 20), "32 MiB");
  EXPECT_EQ(byte_size_text(100), "100 bytes");
}

}  // namespace
}  // namespace hm
