// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(Json, ControlCharactersAreEscaped) {
  const nlohmann::ordered_json object{{"name", "a\x1b[2J\n\x7f\u009b\u202eb"}, {"other", "価格é⌚\u0640"}};
  const std::string expected = R"({"name":"a\u001b[2J\n\u007f\u009b\u202eb","other":"価格é⌚)"
                               "\u0640\"}";
  EXPECT_EQ(compact_json(object), expected);
  EXPECT_EQ(json_line(nlohmann::json(object)), expected);
  EXPECT_EQ(nlohmann::ordered_json::parse(indented_json(object)), object);
  EXPECT_EQ(indented_json(object).find_first_of("\x1b\x7f"), std::string::npos);
}

TEST(Json, InvalidUtf8IsReplaced) { EXPECT_EQ(json_line("a\xff\xc2"), "\"a\ufffd\ufffd\""); }

}  // namespace
}  // namespace hm
