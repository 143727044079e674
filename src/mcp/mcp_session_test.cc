// SPDX-License-Identifier: MIT
#include "mcp/mcp_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <optional>
#include <stdexcept>

namespace hm::mcp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Result<Answer> echo(const Call& call) { return Answer{{call.arguments.text("word", "")}, R"({"a": 1})"}; }
Result<Answer> fail(const Call& /*call*/) { return make_error(ErrorCode::kIo, "a sentence"); }
Result<Answer> throw_error(const Call& /*call*/) { throw std::runtime_error("thrown"); }
Result<Answer> wait_for_end(const Call& call) {
  call.progress(1.5, "waits");
  while (!call.ends) std::this_thread::yield();
  return Answer{{"ended"}, ""};
}

class SessionTest : public ::testing::Test {
 protected:
  void say(const json& message) { session->receive(message.dump()); }
  void request(const json& id, const std::string& method, const json& params = json::object()) {
    say({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  }
  void call(const json& id, const std::string& tool, const json& arguments = json::object()) {
    request(id, "tools/call", {{"name", tool}, {"arguments", arguments}});
  }
  // Returns the next message of the session, after waiting for it.
  json next() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !sent.empty(); });
    json message = parse_json(sent.front());
    sent.erase(sent.begin());
    EXPECT_EQ(message["jsonrpc"], "2.0");
    return message;
  }
  void initialize() {
    request(0, "initialize", {{"protocolVersion", "2025-06-18"}});
    next();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> sent;
  std::vector<Tool> tools{
      {.name = "echo", .title = "t", .description = "d", .arguments = {{"word"}}, .call = echo},
      {.name = "fail", .title = "t", .description = "d", .call = fail},
      {.name = "throw", .title = "t", .description = "d", .call = throw_error},
      {.name = "wait", .title = "t", .description = "d", .runs_programs = true, .call = wait_for_end}};
  web::Recorder recorder{"/nonexistent", "."};
  std::optional<Session> session{std::in_place,
                                 Session::Options{"1.2", tools, recorder, [this](const std::string& message) {
                                                    std::lock_guard guard(mutex);
                                                    EXPECT_EQ(message.find('\n'), std::string::npos);
                                                    sent.push_back(message);
                                                    changed.notify_one();
                                                  }}};
};

TEST_F(SessionTest, VersionIsNegotiated) {
  for (auto [wanted, agreed] :
       {std::pair{"2025-06-18", "2025-06-18"}, {"2024-11-05", "2024-11-05"}, {"1999-01-01", "2025-06-18"}}) {
    request(1, "initialize", {{"protocolVersion", wanted}});
    json answer = next();
    EXPECT_EQ(answer["result"]["protocolVersion"], agreed);
    EXPECT_EQ(answer["result"]["serverInfo"]["version"], "1.2");
  }
}

TEST_F(SessionTest, InitializeComesFirst) {
  request("a", "tools/list");
  EXPECT_EQ(next()["error"]["code"], rpc::kInvalidRequest);
  request("b", "ping");
  EXPECT_EQ(next()["result"], json::object());
  initialize();
  request("c", "tools/list");
  json list = next();
  EXPECT_EQ(list["result"]["tools"].size(), 4u);
  EXPECT_EQ(list["result"]["tools"][0]["inputSchema"]["properties"]["word"]["type"], "string");
}

TEST_F(SessionTest, CallsAreAnswered) {
  initialize();
  call(1, "echo", {{"word", "x\ny"}});
  json answer = next();
  EXPECT_EQ(answer["id"], 1);
  EXPECT_EQ(answer["result"]["content"][0]["text"], "x\ny");
  EXPECT_EQ(answer["result"]["structuredContent"]["a"], 1);
  EXPECT_EQ(answer["result"]["isError"], false);
}

TEST_F(SessionTest, FailuresOfToolsAreResults) {
  initialize();
  call(1, "fail");
  json failed = next();
  EXPECT_EQ(failed["result"]["isError"], true);
  EXPECT_EQ(failed["result"]["content"][0]["text"], "a sentence");
  EXPECT_FALSE(failed["result"].contains("structuredContent"));
  call(2, "echo", {{"word", 1}});
  EXPECT_EQ(next()["result"]["isError"], true);
  call(3, "throw");
  EXPECT_THAT(next()["result"]["content"][0]["text"].get<std::string>(), HasSubstr("thrown"));
}

TEST_F(SessionTest, FailuresOfTheProtocolAreErrors) {
  initialize();
  call(1, "nothing");
  EXPECT_EQ(next()["error"]["code"], rpc::kInvalidParams);
  request(2, "tools/call", {{"name", 7}});
  EXPECT_EQ(next()["error"]["code"], rpc::kInvalidParams);
  request(3, "resources/list");
  EXPECT_EQ(next()["error"]["code"], rpc::kMethodNotFound);
  session->receive("{");
  EXPECT_EQ(next()["error"]["code"], rpc::kParseError);
  session->refuse_long_message();
  EXPECT_EQ(next()["error"]["code"], rpc::kInvalidRequest);
}

TEST_F(SessionTest, ACancelledCallEndsAndIsNotAnswered) {
  initialize();
  request(1, "tools/call", {{"name", "wait"}, {"_meta", {{"progressToken", "p"}}}});
  json progress = next();
  EXPECT_EQ(progress["method"], "notifications/progress");
  EXPECT_EQ(progress["params"]["progressToken"], "p");
  EXPECT_EQ(progress["params"]["progress"], 1.5);
  call(1, "echo");  // the ID is in use
  EXPECT_EQ(next()["error"]["code"], rpc::kInvalidRequest);
  call(2, "echo");  // need not wait for the measurement
  EXPECT_EQ(next()["id"], 2);
  say({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}});
  session.reset();
  EXPECT_TRUE(sent.empty());
}

TEST_F(SessionTest, AtTheEndMeasurementsEndAndAreAnswered) {
  initialize();
  call(1, "wait");
  call(2, "wait");
  call(3, "echo");
  session.reset();
  std::vector<int> ids;
  while (!sent.empty()) ids.push_back(next()["id"]);
  EXPECT_THAT(ids, ::testing::UnorderedElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace hm::mcp
