// SPDX-License-Identifier: MIT
#include "lsp/lsp_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm::lsp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    std::ofstream(recording) << "1";
    std::ofstream(source) << "x";
    make_old();
    (*notes)[std::filesystem::canonical(source).string()][2] = {
        "misses 50.0%", "why: far\n", {{Severity::kInformation, "cold_scan", "read less"}}};
  }
  // No process writes to the recording any more.
  void make_old() {
    auto now = std::filesystem::file_time_type::clock::now();
    std::filesystem::last_write_time(recording, now - std::chrono::seconds(++seconds_ago));
  }
  void request(const json& id, const std::string& method, const json& params = json::object()) {
    session.receive(json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
  }
  void notify(const std::string& method, const json& params = json::object()) {
    session.receive(json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  json next() {
    while (sent.empty()) session.look();
    json message = parse_json(sent.front());
    sent.erase(sent.begin());
    return message;
  }
  void initialize(const json& capabilities = json::object()) {
    request(0, "initialize", {{"rootUri", nullptr}, {"capabilities", capabilities}});
    EXPECT_EQ(next()["result"]["capabilities"]["positionEncoding"], "utf-16");
    notify("initialized");
  }
  void open() {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"text", "one\n  \U0001f600two \nthree"}}}});
  }
  json document() {
    return {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 1}, {"character", 0}}}};
  }

  TemporaryFolder folder;
  std::string recording = folder.file("r.data"), source = folder.file("a b.c");
  std::string uri = "file://" + folder.file("a%20b.c");
  int seconds_ago = 10;
  Result<Notes> notes{Notes()};
  std::vector<std::string> sent;
  Session session{{"1.2", recording, [this](const std::string& /*path*/) { return notes; },
                   [this](const std::string& message) { sent.push_back(message); }}};
};

TEST_F(SessionTest, InitializeComesFirstAndExitLast) {
  request(1, "textDocument/codeLens");
  EXPECT_EQ(next()["error"]["code"], -32002);
  initialize();
  request(2, "nothing");
  EXPECT_EQ(next()["error"]["code"], rpc::kMethodNotFound);
  request(3, "shutdown");
  EXPECT_TRUE(next()["result"].is_null());
  request(4, "textDocument/hover");
  EXPECT_EQ(next()["error"]["code"], rpc::kInvalidRequest);
  EXPECT_FALSE(session.exit_status().has_value());
  notify("exit");
  EXPECT_EQ(session.exit_status(), 0);
}

TEST_F(SessionTest, AnOpenDocumentHasItsNotes) {
  initialize({{"textDocument", {{"hover", {{"contentFormat", {"markdown"}}}}}}});
  open();
  request(1, "textDocument/codeLens", document());  // waits for the recording
  EXPECT_THAT(next()["params"]["diagnostics"], IsEmpty());
  json published = next();
  EXPECT_EQ(published["method"], "textDocument/publishDiagnostics");
  ASSERT_THAT(published["params"]["diagnostics"], SizeIs(1));
  json diagnostic = published["params"]["diagnostics"][0];
  EXPECT_EQ(diagnostic["severity"], 3);
  EXPECT_EQ(diagnostic["code"], "cold_scan");
  EXPECT_EQ(diagnostic["range"],
            parse_json(R"({"start":{"line":1,"character":2},"end":{"line":1,"character":7}})"));
  json lenses = next();
  EXPECT_EQ(lenses["id"], 1);
  ASSERT_THAT(lenses["result"], SizeIs(1));
  EXPECT_THAT(lenses["result"][0]["command"]["title"].get<std::string>(), HasSubstr("misses 50.0%"));
  request(2, "textDocument/hover", document());
  EXPECT_EQ(next()["result"]["contents"]["value"], "```text\nwhy: far\n```");
  json elsewhere = document();
  elsewhere["position"]["line"] = 0;
  request(3, "textDocument/hover", elsewhere);
  EXPECT_TRUE(next()["result"].is_null());
  notify("textDocument/didClose", document());
  EXPECT_THAT(next()["params"]["diagnostics"], IsEmpty());
  request(4, "textDocument/codeLens", document());
  EXPECT_EQ(next()["error"]["code"], rpc::kInvalidParams);
}

TEST_F(SessionTest, AChangedRecordingIsReadAgain) {
  initialize({{"workspace", {{"codeLens", {{"refreshSupport", true}}}}}});
  open();
  next(), next();
  EXPECT_EQ(next()["method"], "workspace/codeLens/refresh");
  notes->clear();
  make_old();
  EXPECT_THAT(next()["params"]["diagnostics"], IsEmpty());
  EXPECT_EQ(next()["method"], "workspace/codeLens/refresh");
  notes = make_error(ErrorCode::kDamaged, "no recording");
  make_old();
  json warning = next();
  EXPECT_EQ(warning["method"], "window/logMessage");
  EXPECT_EQ(warning["params"]["message"], "hardmeter: no recording");
}

TEST_F(SessionTest, WrongParametersAreRefusedOrIgnored) {
  initialize();
  open();
  next(), next();
  for (const json& params :
       {json::object(), json{{"textDocument", 1}}, json{{"textDocument", {{"uri", 1}}}}}) {
    request(1, "textDocument/codeLens", params);
    EXPECT_EQ(next()["error"]["code"], rpc::kInvalidParams);
    notify("textDocument/didOpen", params);
    notify("textDocument/didChange", params);
    notify("textDocument/didClose", params);
  }
  json far = document();
  for (const json& line : {json(-1), json("1"), json(UINT64_MAX), json(1e300)}) {
    far["position"]["line"] = line;
    request(2, "textDocument/hover", far);
    EXPECT_TRUE(next()["result"].is_null());
  }
  notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri}}}, {"contentChanges", {{{"text", "one"}}}}});
  request(3, "textDocument/codeLens", document());
  EXPECT_THAT(next()["result"], IsEmpty());  // the text has no second line any more
}

}  // namespace
}  // namespace hm::lsp
