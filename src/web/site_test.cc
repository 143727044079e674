// SPDX-License-Identifier: MIT
// Requests from browsers and other clients, for answers and for the page.
#include "web/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>

#include "base/json.h"
#include "record/example_recording.h"
#include "record/writer.h"
#include "store/example_fleet.h"
#include "store/open_store.h"
#include "web/fleet_requests.h"
#include "web/page.h"
#include "web/page_recorder.h"
#include "web/single_file.h"

namespace hm::web {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class SiteTest : public ::testing::Test {
 protected:
  SiteTest() : api({recording(100), recording(200)}, {}, "1.2.3"), site(api, access) { access.set_port(80); }

  // Half of the samples belong to each event.
  std::string recording(uint64_t samples) {
    std::vector<record::EventDescription> events = record::example::events();
    std::string path = folder.file("perf.data." + std::to_string(samples));
    auto writer = record::Writer::create(path, events);
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE(writer->append(record::example::records(events, samples)).ok());
    EXPECT_TRUE(writer->finish({}).ok());
    return path;
  }

  http::Response get(const std::string& path, const std::string& query = "") {
    return site.respond({"GET", path, query, own});
  }
  // Sends a request with the headers of the page.
  http::Response send(const std::string& method, const std::string& path, const std::string& body = "{}") {
    auto headers = own;
    headers.emplace_back("Origin", "http://127.0.0.1:80");
    headers.emplace_back("Content-Type", "application/json");
    return site.respond({method, path, "", headers, body});
  }
  nlohmann::json ask(const std::string& path, const std::string& query = "", int status = 200) {
    http::Response response = get("/api/" + path, query);
    EXPECT_EQ(response.status, status) << path << ' ' << *response.body;
    EXPECT_EQ(response.type, "application/json");
    return nlohmann::json::parse(*response.body);
  }
  static std::string header(const http::Response& response, const std::string& name) {
    for (const auto& [each, value] : response.headers) {
      if (each == name) return value;
    }
    return "";
  }

  record::example::TemporaryFolder folder;
  Api api;
  Access access{"5ec2e7", "127.0.0.1"};
  Site site;
  std::vector<std::pair<std::string, std::string>> own{{"Host", "127.0.0.1:80"},
                                                       {"Cookie", "hardmeter_80=5ec2e7"}};
};

TEST_F(SiteTest, ServesThePageUnderAPolicy) {
  http::Response page = get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(*page.body, page_html());
  EXPECT_EQ(*get("/page.js").body, page_script());
  EXPECT_EQ(*get("/page.css").body, page_style());
  for (const char* path : {"/", "/page.js", "/api/recordings", "/nothing"}) {
    std::string policy = header(get(path), "Content-Security-Policy");
    EXPECT_THAT(policy, StartsWith("default-src 'none'; script-src 'self';")) << path;
    EXPECT_THAT(policy, Not(HasSubstr("unsafe"))) << path;
  }
}

TEST_F(SiteTest, TheFirstLinkGivesTheCookie) {
  own.pop_back();
  EXPECT_EQ(get("/").status, 403);
  http::Response first = get("/", "secret=5ec2e7");
  EXPECT_EQ(first.status, 302);
  EXPECT_EQ(header(first, "Location"), "/");
  EXPECT_EQ(header(first, "Set-Cookie"), access.set_cookie());
  EXPECT_EQ(get("/", "secret=5ec2e8").status, 403);
  EXPECT_EQ(header(get("/", "secret=5ec2e8"), "Set-Cookie"), "");
  EXPECT_EQ(get("/api/recordings", "secret=5ec2e7").status, 403) << "only the page itself is opened so";
  own.emplace_back("Sec-Fetch-Site", "cross-site");
  EXPECT_THAT(*get("/", "secret=5ec2e7").body, HasSubstr("url=/"));
}

TEST_F(SiteTest, NobodyElseLearnsAnything) {
  own = {{"Host", "evil.example"}, {"Cookie", "hardmeter_80=5ec2e7"}};
  for (const char* path : {"/", "/page.js", "/api/recordings", "/api/hotspots", "/etc/passwd"})
    EXPECT_EQ(get(path).status, 403) << path;
  own = {{"Host", "127.0.0.1:80"}, {"Origin", "http://evil.example"}, {"Cookie", "hardmeter_80=5ec2e7"}};
  EXPECT_EQ(get("/api/recordings").status, 403);
}

TEST_F(SiteTest, ThereAreNoOtherFilesAndNoOtherMethods) {
  for (const char* path : {"/../../etc/passwd", "/etc/passwd", "//page.js/..", "/page.js/", "/perf.data.100"})
    EXPECT_EQ(get(path).status, 404) << path;
  for (const char* path : {"../recordings", "recordings/", "", "recordings/../totals", "Totals"})
    ask(path, "", 404);
  for (const char* method : {"PUT", "DELETE", "OPTIONS"})
    EXPECT_EQ(send(method, "/api/recordings").status, 405) << method;
  EXPECT_EQ(send("POST", "/").status, 405);
  EXPECT_EQ(send("POST", "/api/recordings").status, 404);
}

TEST_F(SiteTest, ListsTheRecordings) {
  nlohmann::json found = ask("recordings");
  EXPECT_EQ(found["version"], "1.2.3");
  EXPECT_EQ(found["allow_record"], false);
  ASSERT_EQ(found["recordings"].size(), 2u);
  EXPECT_EQ(found["recordings"][1]["name"], "perf.data.200");
}

TEST_F(SiteTest, AnswersOfTheChosenRecording) {
  EXPECT_EQ(ask("hotspots", "sort=comm,event&recording=0")["events"]["cache-miss"]["samples"], 50);
  EXPECT_EQ(ask("hotspots", "recording=1")["events"]["cache-miss"]["samples"], 100);
  EXPECT_EQ(ask("flame", "event=cache-miss")["root"]["samples"], 50);
  EXPECT_TRUE(ask("explain").contains("events"));
  EXPECT_TRUE(ask("totals").contains("threads"));
  EXPECT_TRUE(ask("diff").contains("totals"));
  ask("hotspots", "recording=2", 400);
}

TEST_F(SiteTest, SaysWhatIsWrongInASentence) {
  EXPECT_THAT(std::string(ask("hotspots", "sort=nothing", 400)["error"]), HasSubstr("nothing"));
  EXPECT_THAT(std::string(ask("hotspots", "event=no%20event", 400)["error"]), HasSubstr("no event"));
  EXPECT_THAT(std::string(ask("occupancy", "", 404)["error"]), HasSubstr("--llc"));
  EXPECT_THAT(std::string(ask("sizes", "", 404)["error"]), HasSubstr("--sizes"));
  ask("annotate", "", 400);
  ask("timeline", "by=nothing", 400);
  ask("timeline", "from_ns=9&to_ns=1", 400);
}

TEST_F(SiteTest, NoAnswerIsTooLargeForMemory) {
  EXPECT_TRUE(ask("map", "cache=1M,16,64").contains("columns"));
  for (const char* query : {"cache=4G,1,64&sets=1", "cache=1G,16,64&page=64", "cache=64,1,64&page=512G"})
    ask("map", query, 400);
}

TEST_F(SiteTest, NothingIsRecordedUnlessAllowed) {
  EXPECT_EQ(send("POST", "/api/record", R"({"command": ["true"]})").status, 404);
  EXPECT_EQ(send("POST", "/api/stop").status, 404);
  ask("recorder", "", 404);
}

class RecordingSiteTest : public SiteTest {
 protected:
  // Replaces the tool: prints its arguments and writes a recording to the requested path.
  RecordingSiteTest() {
    std::ofstream(tool) << "#!/bin/sh\necho \"$@\"\ncp '" << recording(100) << "' \"$3\"\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    api.allow_recording(recorder);
  }

  nlohmann::json state_at_end() {
    nlohmann::json state = ask("recorder");
    while (state["running"]) state = ask("recorder");
    return state;
  }

  std::string tool = folder.file("tool");
  Recorder recorder{tool, folder.file("")};
};

TEST_F(RecordingSiteTest, WhatIsRecordedCanBeAskedAbout) {
  EXPECT_EQ(ask("recordings")["allow_record"], true);
  std::string wish =
      R"({"command": ["sleep", "--x; rm"], "events": ["a,b"], "period": "100us", "pmu": "soft", "kernel": false, "callers": true})";
  EXPECT_EQ(send("POST", "/api/record", wish).status, 200);
  nlohmann::json state = state_at_end();
  EXPECT_EQ(state["exit_status"], 0);
  EXPECT_THAT(std::string(state["said"]),
              HasSubstr("--event=a,b --pmu=soft --count=100us -u -g -- sleep --x; rm"));
  EXPECT_EQ(ask("recordings")["recordings"].size(), 3u);
  EXPECT_EQ(ask("hotspots", "recording=2")["events"]["cache-miss"]["samples"], 50);
  EXPECT_EQ(ask("live")["events"]["cache-miss"]["samples"], 50);
}

TEST_F(RecordingSiteTest, AnEndedRecorderStartsNothing) {
  recorder.end();
  EXPECT_NE(send("POST", "/api/record", R"({"command": ["true"]})").status, 200);
  EXPECT_EQ(ask("recorder")["path"], nullptr);
}

TEST_F(RecordingSiteTest, OfAnotherPageNothingIsRecorded) {
  std::string wish = R"({"command": ["true"]})";
  using Headers = std::vector<std::pair<std::string, std::string>>;
  for (const Headers& more :
       {Headers{{"Content-Type", "application/json"}},
        Headers{{"Origin", "http://127.0.0.1:80"}, {"Content-Type", "text/plain"}},
        Headers{{"Origin", "http://evil.example"}, {"Content-Type", "application/json"}},
        Headers{{"Origin", "null"}, {"Content-Type", "application/json"}}}) {
    Headers headers = own;
    headers.insert(headers.end(), more.begin(), more.end());
    EXPECT_EQ(site.respond({"POST", "/api/record", "", headers, wish}).status, 403);
  }
  EXPECT_EQ(site.respond({"POST", "/", "secret=5ec2e7", own, wish}).status, 403);
  EXPECT_EQ(ask("recorder")["path"], nullptr);
}

TEST_F(RecordingSiteTest, WrongWishesAreRefused) {
  for (const char* wish :
       {"", "[]", "{}", "{", R"({"command": "ls"})", R"({"command": [1]})", R"({"command": []})",
        R"({"command": ["-o"]})", R"({"pids": []})", R"({"pids": ["1"]})", R"({"pids": [-1]})",
        R"({"pids": 1})", R"({"command": ["a"], "events": "x"})", "{\"command\": [\"a\\u0000b\"]}",
        "{\"command\": [\"a\"], \"period\": \"1\\u0000ms\"}", R"({"command": ["a"], "pmu": "none"})",
        R"({"command": ["a"], "user": 1})", R"({"command": ["a"], "users": true})"})
    EXPECT_EQ(send("POST", "/api/record", wish).status, 400) << wish;
}

TEST_F(SiteTest, WithoutAStoreItSaysHowToOpenOne) {
  EXPECT_EQ(ask("recordings")["store"], nullptr);
  EXPECT_THAT(std::string(ask("fleet", "", 404)["error"]), HasSubstr("--store"));
}

class StoreSiteTest : public SiteTest {
 protected:
  StoreSiteTest() {
    auto store = *store::open_store(*store::parse_address(folder.file("store")), {});
    EXPECT_TRUE(store->init());
    for (const store::Batch& batch : testing::example_fleet()) EXPECT_TRUE(store->insert(batch));
    fleet = std::make_unique<Fleet>(std::move(store), "the store");
    api.query_store(*fleet);
  }
  std::unique_ptr<Fleet> fleet;
};

TEST_F(StoreSiteTest, AnswersOfTheStore) {
  EXPECT_EQ(ask("recordings")["store"], "the store");
  EXPECT_EQ(ask("fleet")["events"].size(), 2u);
  EXPECT_EQ(ask("fleet", "service=shop.service")["releases"].size(), 2u);
  EXPECT_EQ(ask("fleet_rows")["rows"][0]["keys"][0], "shop.service");
  nlohmann::json lines = ask("fleet_rows", "service=shop.service&sort=line&limit=1");
  ASSERT_EQ(lines["rows"].size(), 1u);
  EXPECT_EQ(lines["rows"][0]["keys"][1], "88");
  nlohmann::json over_time =
      ask("fleet_over_time", "service=shop.service&function=look_up&line=88&buckets=100");
  EXPECT_EQ(over_time["step"]["at_s"], testing::kFleetStep);
  EXPECT_LE(over_time["moments"].size(), 100u);
  nlohmann::json diff = ask("fleet_diff", "service=shop.service&before=aa&after=bb");
  EXPECT_EQ(diff["rows"][0]["keys"][0], "look_up");
  EXPECT_EQ(diff["rows"][0]["significant"], true);
}

TEST_F(StoreSiteTest, WhatIsWrongIsSaidInASentence) {
  for (const char* query : {"from_s=x", "from_s=-1", "to_s=99999999999", "limit=99999999", "line=1.5",
                            "sort=ip&service=s", "release=x%27%20OR%201", "unknown=1"})
    EXPECT_FALSE(std::string(ask("fleet_rows", query, 400)["error"]).empty()) << query;
  ask("fleet_over_time", "buckets=1001", 400);
  ask("fleet_diff", "service=shop.service", 400);
  ask("fleet_diff", "before=aa&after=bb", 400);
  ask("fleet_rows", "service=nobody", 404);
  ask("fleet_rows", "service=shop.service%27%20OR%20%271%27=%271", 404);
  ask("fleet_nothing", "", 404);
}

TEST_F(StoreSiteTest, NobodyElseLearnsAnything) {
  own.pop_back();
  EXPECT_EQ(get("/api/fleet").status, 403);
  EXPECT_EQ(get("/api/fleet_rows").status, 403);
}

// A store that blocks queries until it is released.
class SlowStore final : public store::Store {
 public:
  Status init() override { return {}; }
  Status insert(const store::Batch& /*batch*/) override { return {}; }
  Status prune(uint64_t /*before_s*/, uint64_t /*hours_before_s*/) override { return {}; }
  Status keep_for(uint64_t /*days*/) override { return {}; }
  Result<uint64_t> stale_days() override { return uint64_t{0}; }
  Result<uint64_t> time_s() override { return uint64_t{0}; }
  Result<store::Answer> ask(const std::string& /*sql*/) override {
    is_asked.release();
    may_answer.acquire();
    return make_error(ErrorCode::kIo, "it is gone");
  }
  [[nodiscard]] std::string table() const override { return "samples"; }
  [[nodiscard]] std::string quoted(std::string_view text) const override { return std::string(text); }
  [[nodiscard]] std::string hours_table() const override { return "hours"; }
  [[nodiscard]] std::string seconds_of(std::string_view column) const override { return std::string(column); }
  [[nodiscard]] std::string by_place(const std::vector<store::PlaceValue>& /*values*/,
                                     const std::string& otherwise) const override {
    return otherwise;
  }
  [[nodiscard]] std::string time_literal(uint64_t /*seconds*/) const override { return "0"; }
  Result<std::optional<uint64_t>> bytes() override { return std::optional<uint64_t>(); }
  Result<std::string> description() override { return std::string("slow"); }

  std::counting_semaphore<> is_asked{0}, may_answer{0};
};

class SlowStoreSiteTest : public SiteTest {
 protected:
  SlowStoreSiteTest() { api.query_store(fleet); }

  SlowStore* slow = new SlowStore;  // owned by the fleet
  Fleet fleet{std::unique_ptr<store::Store>(slow), "slow"};
};

TEST_F(SlowStoreSiteTest, HoldsUpNothingElse) {
  std::thread asks([&] { EXPECT_EQ(get("/api/fleet").status, 500); });
  slow->is_asked.acquire();
  EXPECT_EQ(get("/page.js").status, 200);
  EXPECT_EQ(get("/api/recordings").status, 200);
  slow->may_answer.release();
  asks.join();
}

TEST_F(SlowStoreSiteTest, WhoWouldWaitBehindManyIsRefused) {
  constexpr int kAsking = 7;
  std::mutex mutex;
  std::vector<std::string> answers;
  std::binary_semaphore is_refused(0);
  std::vector<std::thread> all;
  all.reserve(kAsking);
  for (int i = 0; i < kAsking; ++i)
    all.emplace_back([&] {
      std::string answer = *get("/api/fleet").body;
      std::lock_guard guard(mutex);
      answers.push_back(answer);
      if (answers.size() == 1) is_refused.release();
    });
  is_refused.acquire();
  slow->may_answer.release(kAsking);
  for (std::thread& each : all) each.join();
  EXPECT_THAT(answers.front(), HasSubstr("try again later"));
  EXPECT_THAT(answers.back(), HasSubstr("it is gone"));
}

TEST_F(SiteTest, AFileThatCannotBeReadIsAnErrorEachTime) {
  Api broken({folder.file("nothing")}, {}, "1");
  EXPECT_NE(broken.answer("totals", {}).status, 200);
  EXPECT_NE(broken.answer("totals", {}).status, 200);
  EXPECT_FALSE(single_file(broken).ok());
}

TEST_F(SiteTest, ASingleFileAsksNobody) {
  Result<std::string> file = single_file(api);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_THAT(*file, HasSubstr("id=\"hardmeter-answers\""));
  EXPECT_THAT(*file, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(*file, Not(HasSubstr("src=\"page.js\"")));
  EXPECT_THAT(*file, Not(HasSubstr("href=\"page.css\"")));
  EXPECT_THAT(*file, HasSubstr(page_style()));
  EXPECT_THAT(*file, HasSubstr(page_script()));
}

}  // namespace
}  // namespace hm::web
