// SPDX-License-Identifier: MIT
#include "view/text/format.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "view/text/table.h"

namespace hm::text {
namespace {

TEST(Format, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(percent(0.12345), "12.3%");
}

TEST(Format, ElidesTheMiddle) {
  EXPECT_EQ(elided("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(elided("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(elided("abcdefgh", 4), "ab…h");
  EXPECT_EQ(elided("日本語の関数名", 14), "日本語の関数名");
  EXPECT_EQ(elided("日本語の関数名", 9), "日本…数名");
  EXPECT_EQ(elided("日本語の関数名", 8), "日本…名");
  EXPECT_EQ(elided("abcdefgh\u0301ij", 5), "ab…ij");  // h, with an accent, is left out whole
  EXPECT_EQ(elided("e\u0301e\u0301e\u0301e\u0301", 3), "e\u0301…e\u0301");
  EXPECT_EQ(elided("abc", 1), "…");
  EXPECT_EQ(elided("abc", 0), "");
  for (size_t columns = 0; columns < 15; ++columns)
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
  EXPECT_EQ(wrapped("関数名 関数名", 8, 0), "関数名\n関数名");
}

TEST(Format, NothingReachesTheTerminalThatItWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(printable("a\u009b31mb\u202e"), "a\\u009b31mb\\u202e");
  EXPECT_EQ(printable("\xff"
                      "a\xe3\x81"),
            "?a??");
  EXPECT_EQ(printable("héllo"), "héllo");
  EXPECT_EQ(printable_lines("a\x1b\nb\r\n\nc"), "a\\x1b\nb\\x0d\n\nc");
  EXPECT_EQ(printable_lines("one two three\n\nfour\n", 8), "one two\n    three\n\nfour\n");
}

TEST(Format, WidthsAreThoseOfATerminal) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("価格の合計"), 10u);
  EXPECT_EQ(columns_of("ソート(🚀)"), 10u);
  EXPECT_EQ(columns_of("e\u0301te\u0301"), 3u);
  EXPECT_EQ(columns_of("\u0e01\u0e31\u0e19"), 2u);  // a vowel above its consonant
  EXPECT_EQ(columns_of("חיבור"), 5u);
  EXPECT_EQ(begun("価格の合計", 5), "価格");
  EXPECT_EQ(begun("ae\u0301b", 2), "ae\u0301");
}

// Returns the column at which a text begins in each line that has it.
std::set<size_t> columns_in(const std::string& table, std::string_view text) {
  std::set<size_t> columns;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    size_t at = line.rfind(text);
    if (at != std::string::npos) columns.insert(columns_of(std::string_view(line).substr(0, at)));
  }
  return columns;
}

std::string table_of(const std::vector<std::string>& names, const Style& style) {
  Table table({{"function", Align::kLeft}, {"dso", Align::kLeft}, {"count"}});
  for (const std::string& name : names) table.add({name, "=program", "12"});
  return table.render(style);
}

TEST(Format, ColumnsAreStraight) {
  const std::vector<std::string> names{
      "sum", "価格の合計", "한국어 합계", "🚀🧪", "e\u0301te\u0301", "\u0e01\u0e31\u0e19", "חיבור",
      "جمع", "ﾊﾝｶｸ",       "Ａ",          "naïve"};
  std::vector<std::string> long_names = names;
  for (std::string& name : long_names) name = fmt::format("{0}{0}_日本語の長い関数名_{0}{0}", name);
  for (const Style& style : {Style{}, Style{.width = 60, .drawing = true}, Style{.width = 33}}) {
    for (const auto& some : {names, long_names}) {
      std::string table = table_of(some, style);
      EXPECT_EQ(columns_in(table, "=program").size(), 1u) << table;
      EXPECT_EQ(columns_in(table, "12").size(), 1u) << table;
    }
  }
}

TEST(Format, TextFromRightToLeftEndsWithItsColumn) {
  Style terminal{.width = 60, .drawing = true};
  EXPECT_NE(table_of({"חיבור"}, terminal).find("חיבור\u200e"), std::string::npos);
  EXPECT_EQ(table_of({"sum", "価格"}, terminal).find("\u200e"), std::string::npos);
  EXPECT_EQ(table_of({"חיבור"}, {}).find("\u200e"), std::string::npos);  // not for files and pipes
}

}  // namespace
}  // namespace hm::text
