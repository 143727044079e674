// SPDX-License-Identifier: MIT
#include "rpc/rpc_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::rpc {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Message message(std::string_view text) {
  std::vector<Decoded> decoded = decode(text);
  EXPECT_THAT(decoded, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<Message>(decoded.front())) << text;
  return std::get<Message>(decoded.front());
}

Refusal refusal(std::string_view text) {
  std::vector<Decoded> decoded = decode(text);
  EXPECT_THAT(decoded, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<Refusal>(decoded.front())) << text;
  return std::get<Refusal>(decoded.front());
}

TEST(Message, KindsFollowFromMembers) {
  Message request = message(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}})");
  EXPECT_EQ(request.kind, Message::Kind::kRequest);
  EXPECT_EQ(request.id, "a");
  EXPECT_EQ(request.method, "m");
  EXPECT_EQ(request.params["x"], 1);
  EXPECT_EQ(message(R"({"jsonrpc":"2.0","method":"m"})").kind, Message::Kind::kNotification);
  EXPECT_THAT(message(R"({"jsonrpc":"2.0","method":"m"})").params, IsEmpty());
  EXPECT_THAT(message(R"({"jsonrpc":"2.0","id":1,"method":"shutdown","params":null})").params, IsEmpty());
  EXPECT_EQ(message(R"({"jsonrpc":"2.0","id":0,"result":{}})").kind, Message::Kind::kResponse);
  EXPECT_EQ(message(R"({"jsonrpc":"2.0","id":null,"error":{}})").kind, Message::Kind::kResponse);
}

TEST(Message, InvalidOnesAreRefusedWithTheirId) {
  EXPECT_EQ(refusal("{").code, kParseError);
  EXPECT_EQ(refusal("").code, kParseError);
  EXPECT_EQ(refusal("\"\xff\"").code, kParseError);
  EXPECT_EQ(refusal("1").code, kInvalidRequest);
  EXPECT_EQ(refusal("[]").code, kInvalidRequest);
  EXPECT_EQ(refusal(R"({"id":7,"method":"m"})").id, 7);
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7})").code, kInvalidRequest);
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"method":1})").id, 7);
  EXPECT_TRUE(refusal(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})").id.is_null());
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":null,"method":"m"})").code, kInvalidRequest);
  EXPECT_EQ(refusal(R"({"jsonrpc":"2.0","id":7,"method":"m","params":[1]})").code, kInvalidParams);
}

TEST(Message, DeepNestingIsRefusedAndBracketsInStringsAreNotNesting) {
  EXPECT_THAT(refusal(std::string(100'000, '[')).message, HasSubstr("nested"));
  std::string text = R"({"jsonrpc":"2.0","id":1,"method":"\")" + std::string(100, '[') + "\"}";
  EXPECT_THAT(message(text).method, SizeIs(101));
}

TEST(Message, BatchesAreUnfolded) {
  std::vector<Decoded> decoded = decode(R"([{"jsonrpc":"2.0","id":1,"method":"m"},3])");
  ASSERT_THAT(decoded, SizeIs(2));
  EXPECT_TRUE(std::holds_alternative<Message>(decoded[0]));
  EXPECT_TRUE(std::holds_alternative<Refusal>(decoded[1]));
}

TEST(Message, AnswersAreOneLine) {
  EXPECT_EQ(response(1, "{\n \"a\": [\n  \"b\\nc  d\"\n ]\n}\n"),
            R"({"jsonrpc":"2.0","id":1,"result":{"a": ["b\nc  d"]}})");
  EXPECT_EQ(error({"x", kInvalidParams, "no\n\"tool\""}),
            R"({"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no\n\"tool\""}})");
  EXPECT_EQ(notification("n", "{}"), R"({"jsonrpc":"2.0","method":"n","params":{}})");
}

}  // namespace
}  // namespace hm::rpc
