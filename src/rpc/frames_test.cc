// SPDX-License-Identifier: MIT
#include "rpc/frames.h"

#include <gtest/gtest.h>

namespace hm::rpc {
namespace {

TEST(Frames, AreSplitWhateverThePieces) {
  Frames frames(100);
  std::string stream = framed("{}") + "Content-Type: x\r\ncontent-length:3\r\n\r\n[1]" + framed("");
  std::string found;
  for (char byte : stream) {
    frames.add({&byte, 1});
    while (std::optional<Frames::Frame> frame = frames.next()) found += frame->text + ';';
  }
  EXPECT_EQ(found, "{};[1];;");
  EXPECT_FALSE(frames.is_damaged());
}

TEST(Frames, ALongMessageIsSkipped) {
  Frames frames(4);
  frames.add(framed("abcde") + framed("abcd"));
  EXPECT_TRUE(frames.next()->too_long);
  EXPECT_EQ(frames.next()->text, "abcd");
  EXPECT_FALSE(frames.next().has_value());
}

TEST(Frames, AHeaderWithoutLengthIsDamage) {
  for (const std::string& header :
       {std::string("Content-Type: x\r\n\r\n"), std::string("Content-Length: -1\r\n\r\n"),
        std::string("Content-Length: 99999999999999999999999\r\n\r\n"), std::string("\r\n\r\n"),
        std::string(5000, 'x')}) {
    Frames frames(100);
    frames.add(header);
    EXPECT_FALSE(frames.next().has_value());
    EXPECT_TRUE(frames.is_damaged()) << header;
  }
}

}  // namespace
}  // namespace hm::rpc
