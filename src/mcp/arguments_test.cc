// SPDX-License-Identifier: MIT
#include "mcp/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcp/tool.h"

namespace hm::mcp {
namespace {

using ::testing::ElementsAre;

const std::vector<Argument> kKnown{{"name", Type::kText, "a name", true},
                                   {"kind", Type::kText, "a kind", false, {"one", "two"}},
                                   {"names", Type::kTexts, "names"},
                                   {"limit", Type::kCount, "a limit", false, {}, 1, 10},
                                   {"share", Type::kNumber, "percent", false, {}, 0.5, 100},
                                   {"pids", Type::kCounts, "processes"},
                                   {"all", Type::kFlag, "all"}};

std::string failure(const char* json) {
  Result<Arguments> read = Arguments::read(parse_json(json), kKnown);
  return read ? "" : read.error().message;
}

TEST(Arguments, SchemaHasTypesLimitsAndWords) {
  nlohmann::ordered_json schema = schema_of(kKnown);
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_THAT(schema["required"], ElementsAre("name"));
  EXPECT_THAT(schema["properties"]["kind"]["enum"], ElementsAre("one", "two"));
  EXPECT_EQ(schema["properties"]["limit"]["type"], "integer");
  EXPECT_EQ(schema["properties"]["limit"]["maximum"], 10);
  EXPECT_EQ(schema["properties"]["share"]["minimum"], 0.5);
  EXPECT_EQ(schema["properties"]["pids"]["items"]["type"], "integer");
  EXPECT_EQ(schema["properties"]["names"]["description"], "names");
  EXPECT_EQ(schema["properties"]["all"]["type"], "boolean");
}

TEST(Arguments, ValuesAreReadOrDefaulted) {
  Result<Arguments> read =
      Arguments::read(parse_json(R"({"name":"n","names":["a","b"],"limit":3,"share":1,"all":true})"), kKnown);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->text("name"), "n");
  EXPECT_EQ(read->text("kind"), std::nullopt);
  EXPECT_EQ(read->text("kind", "one"), "one");
  EXPECT_THAT(read->texts("names"), ElementsAre("a", "b"));
  EXPECT_EQ(read->count("limit", 7), 3u);
  EXPECT_EQ(read->number("share", 7), 1.0);
  EXPECT_TRUE(read->flag("all"));
  EXPECT_FALSE(read->id("pid").has_value());
}

TEST(Arguments, WrongOnesAreRefusedWithASentence) {
  EXPECT_EQ(failure(R"([])"), "the arguments must be a JSON object");
  EXPECT_EQ(failure(R"({})"), "the argument `name` is missing");
  EXPECT_EQ(failure(R"({"name":"n","x":1})"), "unknown argument `x`");
  EXPECT_EQ(failure(R"({"name":1})"), "the argument `name` must be a text without NUL");
  EXPECT_EQ(failure(R"({"name":"a\u0000b"})"), "the argument `name` must be a text without NUL");
  EXPECT_EQ(failure(R"({"name":"n","kind":"three"})"), "the argument `kind` must be one of one, two");
  EXPECT_EQ(failure(R"({"name":"n","limit":11})"),
            "the argument `limit` must be a whole number from 1 to 10");
  EXPECT_EQ(failure(R"({"name":"n","limit":-1})"),
            "the argument `limit` must be a whole number from 1 to 10");
  EXPECT_EQ(failure(R"({"name":"n","limit":1.5})"),
            "the argument `limit` must be a whole number from 1 to 10");
  EXPECT_EQ(failure(R"({"name":"n","share":1e400})"), "the arguments must be a JSON object");
  EXPECT_EQ(failure(R"({"name":"n","names":"a"})"),
            "the argument `names` must be a list of texts without NUL");
  EXPECT_EQ(failure(R"({"name":"n","all":1})"), "the argument `all` must be true or false");
}

TEST(Arguments, EachToolIsDescribed) {
  for (const Tool& tool : all_tools()) {
    EXPECT_FALSE(tool.description.empty()) << tool.name;
    EXPECT_NE(tool.call, nullptr) << tool.name;
    for (const Argument& each : tool.arguments) EXPECT_FALSE(each.description.empty()) << each.name;
  }
}

}  // namespace
}  // namespace hm::mcp
