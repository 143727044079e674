// SPDX-License-Identifier: MIT
// Responses to clients that follow the protocol, and to those that violate it.
#include "http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "http/raw_client.h"

namespace hm::http {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const Address kAnyPort{"127.0.0.1", 0};

std::string described(const Request& request) {
  std::string text = request.method + " [" + request.path + "] [" + request.query + "] ";
  return text + std::to_string(request.body.size()) + " " + std::string(request.header("x-test"));
}

// Responds with the request that reached its handler.
class EchoServer : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start(kAnyPort, "metrics", [this](const Request& request) {
      ++handled_;
      return text_response(200, described(request));
    });
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = *std::move(started);
  }

  std::string ask(std::string_view request) { return RawClient(server_->port()).ask(request); }
  // Returns "200 BODY".
  std::string answer(std::string_view request) {
    std::string response = ask(request);
    return status_of(response) + " " + body_of(response);
  }
  std::string got(std::string_view target) { return answer(request_for("GET", target)); }
  std::string posted(std::string_view head, std::string_view body) {
    return answer("POST /a HTTP/1.1\r\nHost: x\r\n" + std::string(head) + "\r\n\r\n" + std::string(body));
  }

  std::atomic<int> handled_ = 0;
  std::unique_ptr<Server> server_;
};

TEST_F(EchoServer, ReportsItsPort) { EXPECT_NE(server_->port(), 0); }

TEST_F(EchoServer, RespondsAndCloses) {
  std::string response = ask("GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-Test: y\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(response, AllOf(HasSubstr("HTTP/1.1 200 OK\r\n"), HasSubstr("\r\nConnection: close\r\n"),
                              HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n"),
                              HasSubstr("\r\nContent-Length: 18\r\n")));
  EXPECT_EQ(body_of(response), "GET [/a] [b=c] 0 y");
}

TEST_F(EchoServer, ServesOldProtocolsAndHalfClosedConnections) {
  EXPECT_EQ(answer("GET /a HTTP/1.0\r\n\r\n"), "200 GET [/a] [] 0 ");
  RawClient client(server_->port());
  client.send(request_for("GET", "/a"));
  client.end_sending();
  EXPECT_EQ(status_of(client.receive()), "200");
}

TEST_F(EchoServer, SendsNoBodyToHead) {
  std::string response = ask(request_for("HEAD", "/a"));
  EXPECT_THAT(response, AllOf(HasSubstr("\r\nContent-Length: 14\r\n"), EndsWith("\r\n\r\n")));
  EXPECT_EQ(handled_, 1);
}

TEST_F(EchoServer, DecodesThePathOnce) {
  EXPECT_EQ(got("/a%2Fb%20c+d?e=%20%00+"), "200 GET [/a/b c+d] [e=%20%00+] 0 ");
  EXPECT_EQ(got("/%252e/100%/%zz"), "200 GET [/%2e/100%/%zz] [] 0 ");
  EXPECT_EQ(got("/?a=1&a=2&a"), "200 GET [/] [a=1&a=2&a] 0 ");
  EXPECT_EQ(got("/?a?b"), "200 GET [/] [a?b] 0 ");
}

// A handler compares whole paths, so ".." and similar segments have no effect.
TEST_F(EchoServer, ResolvesNoPath) {
  EXPECT_EQ(got("/../../etc/passwd"), "200 GET [/../../etc/passwd] [] 0 ");
  EXPECT_EQ(got("/a/%2e%2e/b//c/."), "200 GET [/a/../b//c/.] [] 0 ");
}

TEST_F(EchoServer, RefusesWhatIsNoPath) {
  for (const char* target : {"/a%00b", "/%00", "*", "a", "http://x/a", "x:80", "?a"})
    EXPECT_EQ(got(target), "400 the address is not a path, or contains a NUL\n") << target;
  EXPECT_EQ(handled_, 0);
}

TEST_F(EchoServer, LeavesMethodsToTheHandler) {
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "FROB", "get"})
    EXPECT_EQ(answer(request_for(method, "/a")), std::string("200 ") + method + " [/a] [] 0 ");
}

TEST_F(EchoServer, ReceivesBodies) {
  EXPECT_EQ(posted("Content-Length: 5", "hello"), "200 POST [/a] [] 5 ");
  EXPECT_EQ(posted("Transfer-Encoding: chunked", "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"), "200 POST [/a] [] 6 ");
  EXPECT_EQ(posted("X-Test: none", ""), "200 POST [/a] [] 0 none");
  std::string largest(kMaxBodyBytes, 'x');
  EXPECT_EQ(posted("Content-Length: 65536", largest), "200 POST [/a] [] 65536 ");
  EXPECT_EQ(answer("GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"), "200 GET [/a] [] 0 ");
}

TEST_F(EchoServer, RefusesLongBodies) {
  constexpr const char* kRefusal = "413 the body is longer than 64 KiB\n";
  std::string body(kMaxBodyBytes + 1, 'x');
  EXPECT_EQ(posted("Content-Length: 65537", body), kRefusal);
  EXPECT_EQ(posted("Content-Length: 9999999999", ""), kRefusal);
  EXPECT_EQ(posted("Transfer-Encoding: chunked", "10001\r\n" + body + "\r\n0\r\n\r\n"), kRefusal);
  EXPECT_EQ(handled_, 0);
}

TEST_F(EchoServer, RefusesLongHeads) {
  EXPECT_EQ(status_of(ask(request_for("GET", "/" + std::string(7000, 'a')))), "200");
  EXPECT_EQ(status_of(ask("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(7000, 'a') + "\r\n\r\n")), "200");
  handled_ = 0;
  for (size_t length : {kMaxHeadBytes, size_t{20000}, size_t{200000}}) {
    EXPECT_EQ(status_of(ask(request_for("GET", "/" + std::string(length, 'a')))), "414") << length;
    EXPECT_EQ(status_of(ask("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(length, 'a') + "\r\n\r\n")),
              "431")
        << length;
  }
  std::string fields;
  for (int i = 0; i < 3000; ++i) fields += "X: y\r\n";
  EXPECT_EQ(status_of(ask("GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n")), "431");
  EXPECT_EQ(handled_, 0);
}

TEST_F(EchoServer, RefusesWhatIsNoRequest) {
  for (const char* bad :
       {"GET /a\r\n\r\n", "GET\r\n\r\n", "GET /a HTTP/x\r\n\r\n", "GET /a HTTP/1.1\r\nHost\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5x\r\n\r\nhello",
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"})
    EXPECT_THAT(status_of(ask(bad)), ::testing::AnyOf("400", "")) << bad;
  EXPECT_EQ(status_of(ask("GET /a HTTP/9.9\r\nHost: x\r\n\r\n")), "505");
  EXPECT_EQ(handled_, 0);
}

TEST_F(EchoServer, RespondsToTheFirstOfPipelinedRequests) {
  std::string response = ask(request_for("GET", "/a") + request_for("GET", "/b") + request_for("GET", "/c"));
  EXPECT_EQ(body_of(response), "GET [/a] [] 0 ");
  EXPECT_EQ(handled_, 1);
}

TEST_F(EchoServer, UpgradesNothing) {
  EXPECT_EQ(answer("GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n"),
            "200 GET [/a] [] 0 ");
}

TEST_F(EchoServer, ReportsInOneSentenceWhyItCannotStart) {
  Address used{"127.0.0.1", server_->port()}, foreign{"192.0.2.1", 0};
  const auto handler = [](const Request&) { return text_response(200, ""); };
  auto second = Server::start(used, "the page", handler);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
  EXPECT_EQ(second.error().message, "the page cannot be served at 127.0.0.1:" + std::to_string(used.port) +
                                        ": Address already in use");
  auto third = Server::start(foreign, "metrics", handler);
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error().message,
            "metrics cannot be served at 192.0.2.1:0: Cannot assign requested address");
  EXPECT_EQ(status_of(ask(request_for("GET", "/a"))), "200") << "the first server is as it was";
}

TEST(Server, CanStartAgainAtItsPort) {
  const auto handler = [](const Request&) { return text_response(200, ""); };
  auto server = Server::start(kAnyPort, "metrics", handler);
  ASSERT_TRUE(server.ok());
  Address address{"127.0.0.1", (*server)->port()};
  EXPECT_EQ(status_of(RawClient(address.port).ask(request_for("GET", "/"))), "200");
  server->reset();
  EXPECT_EQ(RawClient(address.port).ask(request_for("GET", "/")), "") << "a stopped server listens no more";
  EXPECT_TRUE(Server::start(address, "metrics", handler).ok());
}

TEST(Server, SendsTheHandlersStatusAndHeaders) {
  auto server = Server::start(kAnyPort, "metrics", [](const Request& request) {
    if (request.path == "/none") return Response{204, "text/plain", nullptr};
    Response response = text_response(405, "no\n");
    response.headers = {{"Allow", "GET"}, {"Set-Cookie", "a=b; Path=/"}, {"Set-Cookie", "c=d"}};
    return response;
  });
  ASSERT_TRUE(server.ok());
  std::string response = RawClient((*server)->port()).ask(request_for("GET", "/"));
  EXPECT_THAT(response, AllOf(HasSubstr("HTTP/1.1 405 Method Not Allowed\r\n"),
                              HasSubstr("\r\nAllow: GET\r\n"), HasSubstr("\r\nSet-Cookie: a=b; Path=/\r\n"),
                              HasSubstr("\r\nSet-Cookie: c=d\r\n"), EndsWith("\r\n\r\nno\n")));
  EXPECT_THAT(RawClient((*server)->port()).ask(request_for("GET", "/none")), HasSubstr("HTTP/1.1 204 "));
}

// A value with a line break would inject another header.
TEST(Server, SplitsNoResponse) {
  auto server = Server::start(kAnyPort, "metrics", [](const Request&) {
    return Response{200, "text/plain", nullptr, {{"X", "a\r\nSet-Cookie: b"}}};
  });
  ASSERT_TRUE(server.ok());
  EXPECT_THAT(RawClient((*server)->port()).ask(request_for("GET", "/")), Not(HasSubstr("Set-Cookie")));
}

}  // namespace
}  // namespace hm::http
