// SPDX-License-Identifier: MIT
#include "base/bytes.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(ByteReader, ReadsBackWhatTheWriterWrote) {
  ByteWriter writer;
  writer.u8(1);
  writer.u16(0x0203);
  writer.u32(0x04050607);
  writer.u64(0x08090a0b0c0d0e0f);
  writer.text("abc");
  writer.pad_to(8);
  EXPECT_EQ(writer.size() % 8, 0u);

  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.u8(), 1);
  EXPECT_EQ(reader.u16(), 0x0203);
  EXPECT_EQ(reader.u32(), 0x04050607u);
  EXPECT_EQ(reader.u64(), 0x08090a0b0c0d0e0fu);
  EXPECT_EQ(reader.text(reader.remaining()), "abc");
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, PastTheEndFailsAndStaysFailed) {
  ByteWriter writer;
  writer.u32(7);
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.u64(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0u);
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, SwapsForeignByteOrder) {
  ByteWriter writer;
  writer.u32(0x01020304);
  ByteReader reader(writer.bytes(), /*swap=*/true);
  EXPECT_EQ(reader.u32(), 0x04030201u);
}

}  // namespace
}  // namespace hm
