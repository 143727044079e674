// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(Utf8, WhatIsNoUtf8IsReplaced) {
  EXPECT_EQ(utf8("plain\n"), "plain\n");
  EXPECT_EQ(utf8("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(utf8("a\xff"
                 "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(utf8("cut \xc3"), "cut \xef\xbf\xbd");
}

}  // namespace
}  // namespace hm
