// SPDX-License-Identifier: MIT
#include "lsp/document.h"

#include <gtest/gtest.h>

namespace hm::lsp {
namespace {

TEST(Document, PathsOfUris) {
  EXPECT_EQ(path_of_uri("file:///a/b.c"), "/a/b.c");
  EXPECT_EQ(path_of_uri("file://localhost/a"), "/a");
  EXPECT_EQ(path_of_uri("file:///a%20b%2Fc%C3%A4"), "/a b/c\u00e4");
  for (const char* uri : {"", "/a", "http://x/a", "file://host/a", "file:a", "file:///%", "file:///%4",
                          "file:///%zz", "file:///a%00b"})
    EXPECT_FALSE(path_of_uri(uri).has_value()) << uri;
}

TEST(Document, UnitsOfUtf16) {
  EXPECT_EQ(utf16_units("abc"), 3u);
  EXPECT_EQ(utf16_units("\u00e4\u20ac"), 2u);
  EXPECT_EQ(utf16_units("\U0001f600x"), 3u);
  EXPECT_EQ(utf16_units("\xff\xfe"), 2u);
}

TEST(Document, SpansOfLines) {
  std::string_view text = "first\n\t\U0001f600 x \r\n\r\rlast";
  auto span = [&](uint32_t line) { return span_of_line(text, line).value_or(Span{99, 99}); };
  EXPECT_EQ(span(1).end, 5u);
  EXPECT_EQ(span(2).begin, 1u);
  EXPECT_EQ(span(2).end, 5u);
  EXPECT_EQ(span(3).end, 0u);
  EXPECT_EQ(span(5).end, 4u);
  EXPECT_FALSE(span_of_line(text, 0).has_value());
  EXPECT_FALSE(span_of_line(text, 6).has_value());
  EXPECT_FALSE(span_of_line("", 1).has_value());
}

}  // namespace
}  // namespace hm::lsp
