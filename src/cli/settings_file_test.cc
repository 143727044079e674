// SPDX-License-Identifier: MIT
#include "cli/settings_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

#include "base/temporary_folder.h"

namespace hm::cli {
namespace {

using Kind = SettingValue::Kind;

TEST(SettingsFile, HasNamesAndValues) {
  Result<std::vector<Setting>> settings = parse_settings(
      "\xEF\xBB\xBF# a comment\r\n"
      "\n"
      "store = \"a \\\"b\\\" \\\\ # c\" # behind it\n"
      "folder='C:\\x'\r\n"
      "rows\t=\t1_000\n"
      "ratio = -0.5\n"
      "llc = true\n"
      "software = [ \"a=2%\", # first\n"
      "  'b',\n"
      "]\n"
      "none = []");
  ASSERT_TRUE(settings) << settings.error().message;
  ASSERT_EQ(settings->size(), 7u);
  const auto text_of = [&](size_t i) { return (*settings)[i].values.front().text; };
  EXPECT_EQ(text_of(0), "a \"b\" \\ # c");
  EXPECT_EQ(text_of(1), "C:\\x");
  EXPECT_EQ(text_of(2), "1000");
  EXPECT_EQ((*settings)[2].values.front().kind, Kind::kNumber);
  EXPECT_EQ(text_of(3), "-0.5");
  EXPECT_EQ((*settings)[4].values.front().kind, Kind::kFlag);
  EXPECT_TRUE((*settings)[5].is_list);
  EXPECT_EQ((*settings)[5].line, 8u);
  ASSERT_EQ((*settings)[5].values.size(), 2u);
  EXPECT_EQ((*settings)[5].values[1].text, "b");
  EXPECT_TRUE((*settings)[6].is_list);
  EXPECT_TRUE((*settings)[6].values.empty());
}

TEST(SettingsFile, MayBeEmpty) {
  for (const char* text : {"", "\n\n", "# nothing", "\xEF\xBB\xBF"}) {
    Result<std::vector<Setting>> settings = parse_settings(text);
    ASSERT_TRUE(settings) << text;
    EXPECT_TRUE(settings->empty());
  }
}

TEST(SettingsFile, SaysWhereItIsWrong) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"a", "line 1: NAME = VALUE"},
      {"a b = 1", "line 1: NAME = VALUE"},
      {"= 1", "line 1: NAME = VALUE"},
      {"\"a\" = 1", "line 1: NAME = VALUE"},
      {"\xFF = 1", "line 1: NAME = VALUE"},
      {"a.b = 1", "line 1: NAME = VALUE"},
      {"\n[a]", "line 2: a section"},
      {"a =", "line 1: a value is missing"},
      {"a = # 1", "line 1: a value is missing"},
      {"a = null", "line 1: a value is text in quotes"},
      {"a = 5%", "line 1: something is left"},
      {"a = {b = 1}", "line 1: a value is missing"},
      {"a = 2026-11-27", "line 1: a value is text"},
      {"a = \"b", "line 1: the quote"},
      {"a = \"b\nc\"", "line 1: the quote"},
      {"a = \"b\" c", "line 1: something is left"},
      {"a = \"\"\"b\"\"\"", "line 1: text of several lines"},
      {"a = \"\"", "line 1: the text is empty"},
      {"a = \"\\u0000\"", "line 1: after \\"},
      {"a = \"b\xFF\"", "line 1: the text has control characters, or is not UTF-8"},
      {"a = \"b\x01\"", "line 1: the text has control characters"},
      {"a = [[1]]", "line 1: a list stands in a list"},
      {"a = [1 2]", "line 1: a list goes on"},
      {"a = [1,,2]", "line 1: a value is missing"},
      {"a = [1,\n2", "line 2: a list goes on"},
      {"a = [", "line 1: a value is missing"},
      {"a = 1\nb = 2\na = 3", "line 3: a stands there for the second time"},
  };
  for (auto [text, message] : kWrong) {
    Result<std::vector<Setting>> settings = parse_settings(text);
    ASSERT_FALSE(settings) << text;
    EXPECT_EQ(settings.error().message.substr(0, std::string(message).size()), message) << text;
  }
}

TEST(SettingsFile, IsARegularOne) {
  TemporaryFolder folder;
  std::string path = folder.file("settings");
  EXPECT_EQ(read_settings_file(path).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read_settings_file(folder.file("")).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(read_settings_file("/dev/zero").error().code, ErrorCode::kInvalidArgument);
  std::ofstream(path) << std::string((size_t{1} << 20) + 1, '\n');
  EXPECT_EQ(read_settings_file(path).error().code, ErrorCode::kInvalidArgument);
  std::ofstream(path, std::ios::trunc) << "a = 1";
  EXPECT_TRUE(read_settings_file(path));
}

}  // namespace
}  // namespace hm::cli
