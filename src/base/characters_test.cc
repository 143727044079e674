// SPDX-License-Identifier: MIT
#include "base/characters.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(Characters, ColumnsFollowUnicode) {
  for (char32_t one : {U'a', U'é', U'·', U'…', U'│', U'ש', U'ع', U'\u00ad', U'\U0001f1e9'})
    EXPECT_EQ(columns_of_character(one), 1u) << std::hex << static_cast<uint32_t>(one);
  for (char32_t two : {U'価', U'한', U'の', U'Ａ', U'（', U'🚀', U'⌚', U'🧪', U'\U00020000', U'\U0001f3fd'})
    EXPECT_EQ(columns_of_character(two), 2u) << std::hex << static_cast<uint32_t>(two);
  for (char32_t none :
       {U'\u0301', U'\u0e31', U'\u200d', U'\ufe0f', U'\u05b8', U'\u0483', U'\u1161', U'\U000e0067'})
    EXPECT_EQ(columns_of_character(none), 0u) << std::hex << static_cast<uint32_t>(none);
}

TEST(Characters, InvalidUtf8IsOneByte) {
  for (std::string_view invalid :
       {"\xff", "\x80", "\xe3\x81", "\xc0\x9b", "\xe0\x80\x9b", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_FALSE(first_character(invalid).valid) << invalid;
    EXPECT_EQ(first_character(invalid).bytes, 1u);
  }
  Character character = first_character("価b");
  EXPECT_TRUE(character.valid);
  EXPECT_EQ(character.bytes, 3u);
  EXPECT_EQ(character.code_point, U'価');
}

TEST(Characters, ControlCharactersAreEscaped) {
  EXPECT_EQ(escaped("a\x1b[31mb\n\x7f"), "a\\x1b[31mb\\x0a\\x7f");
  EXPECT_EQ(escaped("a\u009b31mb"), "a\\u009b31mb");  // CSI of C1
  EXPECT_EQ(escaped("a\u202eb\u2066c\u2028\u061c"), "a\\u202eb\\u2066c\\u2028\\u061c");
  EXPECT_EQ(escaped("\xe0\x80\x9b[31m", "?"), "???[31m");  // ESC in an overlong form
  EXPECT_EQ(escaped("\xff"), "\ufffd");
  EXPECT_EQ(escaped("價格 👩‍🔬 é"), "價格 👩‍🔬 é");
}

TEST(Characters, RightToLeft) {
  for (std::string_view text : {"sum_חיבור", "جمع", "\U0001e900"})
    EXPECT_TRUE(has_right_to_left(text)) << text;
  for (std::string_view text : {"", "sum", "價格", "\xff", "👩‍🔬", "\ufeff"})
    EXPECT_FALSE(has_right_to_left(text)) << text;
}

}  // namespace
}  // namespace hm
