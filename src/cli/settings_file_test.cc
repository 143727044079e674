// SPDX-License-Identifier: MIT
#include "cli/settings_file.h"

#include <gmock/gmock.h>
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

TEST(SettingsFile, HasTextsOfAnyLetters) {
  Result<std::vector<Setting>> settings = parse_settings("a = \"größe 5 % %41\" # größer\nb = '日本 %C3'");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ((*settings)[0].values.front().text, "größe 5 % %41");
  EXPECT_EQ((*settings)[1].values.front().text, "日本 %C3");
  for (const char* text : {"größe = 1", "a = ö", "a = 1\u00a0", "a = \"\\u002541\""})
    EXPECT_FALSE(parse_settings(text)) << text;
}

TEST(SettingsFile, HasValuesInAllNotationsOfToml) {
  Result<std::vector<Setting>> settings = parse_settings(
      "z = 0x10\n"
      "\"a\" = \"\\u00e9\"\n"
      "m = \"\"\"one line\"\"\"\n"
      "d = 1.5e3\n");
  ASSERT_TRUE(settings) << settings.error().message;
  ASSERT_EQ(settings->size(), 4u);
  const auto text_of = [&](size_t i) { return (*settings)[i].values.front().text; };
  EXPECT_EQ((*settings)[0].name, "z") << "the order is that of the lines";
  EXPECT_EQ(text_of(0), "16");
  EXPECT_EQ((*settings)[1].name, "a");
  EXPECT_EQ(text_of(1), "\u00e9");
  EXPECT_EQ(text_of(2), "one line");
  EXPECT_EQ(text_of(3), "1500");
}

TEST(SettingsFile, SaysWhereItIsWrong) {
  // The text after "Error" comes from the library and is not compared.
  const std::pair<const char*, const char*> kWrong[] = {
      {"a", "line 1: Error"},
      {"a b = 1", "line 1: Error"},
      {"= 1", "line 1: Error"},
      {"\xFF = 1", "line 1: Error"},
      {"a.b = 1", "line 1: a section or a name with a dot"},
      {"'a b' = 1", "line 1: a name has letters"},
      {"\n[a]", "line 2: a section"},
      {"\n[[a]]", "line 2: a section"},
      {"a =", "line 1: Error"},
      {"a = # 1", "line 1: Error"},
      {"a = null", "line 1: Error"},
      {"a = 5%", "line 1: Error"},
      {"a = {b = 1}", "line 1: a value is text in quotes"},
      {"a = inf", "line 1: a value is text in quotes"},
      {"a = 2026-11-27", "line 1: a value is text in quotes"},
      {"a = 99999999999999999999", "line 1: Error"},
      {"a = \"b", "line 1: Error"},
      {"a = \"b\" c", "line 1: Error"},
      {"a = \"\"\"b\nc\"\"\"", "line 1: the text has control characters"},
      {"a = \"\"", "line 1: the text is empty"},
      {"a = \"\\u0001\"", "line 1: the text has control characters"},
      {"a = \"b\xFF\"", "line 1: the text has control characters, or is not UTF-8"},
      {"a = \"b\x01\"", "line 1: Error"},
      {"a = [[1]]", "line 1: a list is inside a list"},
      {"a = [\n1,\n[]]", "line 3: a list is inside a list"},
      {"a = [1 2]", "line 1: Error"},
      {"a = [1,,2]", "line 1: Error"},
      {"a = [1,\n2", "line 2: Error"},
      {"b = 1\nz = ''\na = ''", "line 2: the text is empty"},
      {"a = 1\nb = 2\na = 3", "line 3: Error"},
  };
  for (auto [text, message] : kWrong) {
    Result<std::vector<Setting>> settings = parse_settings(text);
    ASSERT_FALSE(settings) << text;
    EXPECT_EQ(settings.error().message.substr(0, std::string(message).size()), message) << text;
    EXPECT_EQ(settings.error().message.find('\n'), std::string::npos) << text;
  }
}

std::string repeated(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(SettingsFile, MayBeNestedWithoutEnd) {
  constexpr size_t kDepth = 200'000;
  const std::string deep_name = repeated("a.", 250) + "a = ";
  for (const std::string& text : {
           "a = " + repeated("[", kDepth),
           "a = " + repeated("[", kDepth) + repeated("]", kDepth),
           "a = " + repeated("{b = ", kDepth),
           "[" + repeated("a.", kDepth) + "a]",
           repeated("a . ", kDepth) + "a = 1",
           repeated("\"a\".", kDepth) + "a = 1",
           "a = " + repeated("[{" + deep_name + "\n", 300),
           "[" + repeated("a.", 250) + "a]\n" + deep_name + "1",
       }) {
    Result<std::vector<Setting>> settings = parse_settings(text);
    ASSERT_FALSE(settings) << text.substr(0, 20);
    EXPECT_LT(settings.error().message.size(), 300u) << text.substr(0, 20);
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

constexpr SectionRules kRules{"command", "run"};

TEST(SettingsSections, FollowTheCommonSettings) {
  auto settings = parse_sectioned_settings(
      "cpu = 'zen4'\n"
      "[[command]]\n"
      "name = 'a'\n"
      "run = ['x', '', \"two\\nlines\"]\n"
      "[[command]]\n"
      "name = 'b'\n",
      kRules);
  ASSERT_TRUE(settings) << settings.error().message;
  ASSERT_EQ(settings->common.size(), 1u);
  EXPECT_EQ(settings->common[0].name, "cpu");
  ASSERT_EQ(settings->sections.size(), 2u);
  EXPECT_EQ(settings->sections[0].line, 2u);
  EXPECT_EQ(settings->sections[1].line, 5u);
  ASSERT_EQ(settings->sections[0].settings.size(), 2u);
  const Setting& run = settings->sections[0].settings[1];
  ASSERT_EQ(run.values.size(), 3u);
  EXPECT_EQ(run.values[1].text, "");
  EXPECT_EQ(run.values[2].text, "two\nlines");
}

TEST(SettingsSections, MayBeMissing) {
  auto settings = parse_sectioned_settings("a = 1", kRules);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_TRUE(settings->sections.empty());
}

TEST(SettingsSections, NothingElseIsASection) {
  for (const auto& [text, line] : {std::pair{"[command]\nname = 'a'", "line 1: "},
                                   {"command = 1", "line 1: "},
                                   {"a = 1\n[other]\nb = 1", "line 2: "},
                                   {"[[command]]\n[command.inner]\na = 1", "line 2: "},
                                   {"[[command]]\nname = ''", "line 2: "},
                                   {"[[command]]\nname = \"a\\tb\"", "line 2: "},
                                   {"[[command]]\nrun = [\"\\u0000\"]", "line 2: "},
                                   {"command = [{name = 'a'}, 3]", "line 1: "}}) {
    auto settings = parse_sectioned_settings(text, kRules);
    ASSERT_FALSE(settings) << text;
    EXPECT_THAT(settings.error().message, ::testing::StartsWith(line)) << text;
  }
}

}  // namespace
}  // namespace hm::cli
