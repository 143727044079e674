// SPDX-License-Identifier: MIT
// Clients that are slow, numerous, or gone.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/wait_until.h"
#include "http/http_server.h"
#include "http/raw_client.h"

namespace hm::http {
namespace {

using std::chrono::milliseconds;

// More than the kernel buffers for a client that receives nothing.
constexpr size_t kLargeBytes = size_t{32} << 20;
constexpr size_t kMediumBytes = size_t{512} << 10;  // the kernel accepts it from a server at once
const std::string kComplete = request_for("GET", "/small");

// Serves "/small", "/medium", "/large", and "/held". The handler of "/held" waits for `is_released`.
class ManyClients : public ::testing::Test {
 protected:
  void start(const Limits& limits = {}) {
    auto started = Server::start(
        {"127.0.0.1", 0}, "metrics", [this](const Request& request) { return respond(request); }, limits);
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = *std::move(started);
  }

  Response respond(const Request& request) {
    int now = ++in_handlers_;
    int before = max_in_handlers_;
    while (before < now && !max_in_handlers_.compare_exchange_weak(before, now)) {
    }
    Response response = text_response(200, request.path);
    bool is_held = request.path == "/held";
    EXPECT_TRUE(!is_held || wait_until([this] { return is_released_.load(); }));
    if (request.path == "/medium") response.body = body_of_size(kMediumBytes);
    if (request.path == "/large") response.body = body_of_size(kLargeBytes);
    --in_handlers_;
    return response;
  }

  // Returns the body of a new response. Its lifetime ends with its connection.
  std::shared_ptr<const std::string> body_of_size(size_t bytes) {
    auto body = std::make_shared<std::string>(bytes, ' ');
    for (size_t i = 0; i < body->size(); i += 4093) (*body)[i] = static_cast<char>('a' + i % 26);
    sent_ = body;
    is_sending_ = true;
    return body;
  }

  [[nodiscard]] bool still_serves() { return body_of(RawClient(server_->port()).ask(kComplete)) == "/small"; }

  std::atomic<bool> is_released_ = false, is_sending_ = false;
  std::atomic<int> in_handlers_ = 0, max_in_handlers_ = 0;
  std::weak_ptr<const std::string> sent_;
  std::unique_ptr<Server> server_;
};

TEST_F(ManyClients, AreServedAHundredAtATime) {
  constexpr size_t kClients = 100;
  start();
  std::vector<RawClient> clients(kClients);
  for (RawClient& client : clients) {
    ASSERT_TRUE(client.connect(server_->port()));
    ASSERT_TRUE(client.send(kComplete.substr(0, 10)));
  }
  EXPECT_TRUE(still_serves()) << "while all of them are in the middle of their requests";
  for (RawClient& client : clients) ASSERT_TRUE(client.send(kComplete.substr(10)));
  for (RawClient& client : clients) EXPECT_EQ(body_of(client.receive()), "/small");
  EXPECT_LE(max_in_handlers_, static_cast<int>(Limits{}.handlers));
}

TEST_F(ManyClients, WaitForAConnectionWhenAllAreTaken) {
  Limits limits;
  limits.connections = 2;
  start(limits);
  RawClient first(server_->port()), second(server_->port()), third;
  first.send(request_for("GET", "/held"));
  second.send(request_for("GET", "/held"));
  ASSERT_TRUE(wait_until([this] { return in_handlers_ == 2; }));
  ASSERT_TRUE(third.connect(server_->port())) << "the kernel queues it";
  third.send(kComplete);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_TRUE(third.is_waiting());
  is_released_ = true;
  EXPECT_EQ(body_of(first.receive()), "/held");
  EXPECT_EQ(body_of(second.receive()), "/held");
  EXPECT_EQ(body_of(third.receive()), "/small");
}

TEST_F(ManyClients, WaitForAHandlerWhenAllAreBusy) {
  Limits limits;
  limits.handlers = 2;
  start(limits);
  is_released_ = true;
  std::vector<RawClient> clients(20);
  for (RawClient& client : clients) {
    ASSERT_TRUE(client.connect(server_->port()));
    client.send(request_for("GET", "/held"));
  }
  for (RawClient& client : clients) EXPECT_EQ(body_of(client.receive()), "/held");
  EXPECT_LE(max_in_handlers_, 2);
}

// Neither bytes that arrive slowly nor an endless header keep a connection open.
TEST_F(ManyClients, AreClosedWhenTheirRequestTakesTooLong) {
  Limits limits;
  limits.request_timeout = milliseconds(100);
  start(limits);
  for (const char* begun : {"", "\r\n", "GET /small HTT", "GET /small HTTP/1.1\r\nHost: x\r\n",
                            "POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n",
                            "POST /small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
    RawClient silent(server_->port()), trickling(server_->port());
    silent.send(begun);
    trickling.send(begun);
    const std::string trickle = std::string(begun).ends_with("chunked\r\n\r\n") ? "1\r\nx\r\n" : "x";
    EXPECT_TRUE(wait_until([&] { return !trickling.send(trickle); })) << begun;
    EXPECT_EQ(silent.receive(), "") << begun;
  }
  EXPECT_EQ(max_in_handlers_, 0);
}

TEST_F(ManyClients, AreClosedWhenTheyDoNotReceive) {
  Limits limits;
  limits.send_timeout = milliseconds(100);
  start(limits);
  RawClient client(server_->port());
  client.send(request_for("GET", "/large"));
  ASSERT_TRUE(wait_until([this] { return is_sending_.load(); }));
  EXPECT_TRUE(wait_until([this] { return sent_.expired(); })) << "the response is kept for ever";
  EXPECT_LT(client.receive().size(), kLargeBytes);
  EXPECT_TRUE(still_serves());
}

TEST_F(ManyClients, ReceiveLargeResponsesWhole) {
  start();
  std::string expected = *body_of_size(kLargeBytes);
  std::string response = RawClient(server_->port()).ask(request_for("GET", "/large"));
  EXPECT_EQ(body_of(response).size(), kLargeBytes);
  EXPECT_TRUE(body_of(response) == expected);
}

// The server has passed everything to the kernel, and the client has received only a part. Closing the
// connection now would reset it, because there is input that the server has not read.
TEST_F(ManyClients, ReceiveTheWholeResponseIfTheySendMore) {
  start();
  RawClient client;
  client.limit_receive_buffer();
  ASSERT_TRUE(client.connect(server_->port()));
  client.send(request_for("GET", "/medium"));
  std::string response = client.receive(1);
  client.send(request_for("GET", "/small") + "and what is no request");
  for (int looks = 0; looks < 200 && !sent_.expired(); ++looks) std::this_thread::sleep_for(milliseconds(1));
  response += client.receive();
  EXPECT_EQ(body_of(response).size(), kMediumBytes);
}

TEST_F(ManyClients, MayLeaveAtAnyTime) {
  start();
  RawClient(server_->port()).reset();
  for (size_t sent : {size_t{1}, size_t{20}, kComplete.size()}) {
    RawClient client(server_->port());
    client.send(kComplete.substr(0, sent));
    client.reset();
  }
  EXPECT_TRUE(still_serves());
  RawClient(server_->port()).send(request_for("GET", "/held"));  // and closes
  RawClient gone(server_->port());
  gone.send(request_for("GET", "/held"));
  ASSERT_TRUE(wait_until([this] { return in_handlers_ == 2; }));
  gone.reset();
  is_released_ = true;
  EXPECT_TRUE(wait_until([this] { return in_handlers_ == 0; }));
  EXPECT_TRUE(still_serves());
}

TEST_F(ManyClients, MayLeaveInTheMiddleOfAResponse) {
  start();
  for (bool at_once : {false, true}) {
    RawClient client(server_->port());
    client.send(request_for("GET", "/large"));
    EXPECT_EQ(client.receive(100000).size(), 100000u);
    if (at_once) client.reset();
    client = RawClient();
    EXPECT_TRUE(wait_until([this] { return sent_.expired(); }));
    EXPECT_TRUE(still_serves());
  }
}

TEST_F(ManyClients, DoNotKeepTheServerFromStopping) {
  start();
  RawClient idle(server_->port()), arriving(server_->port()), held(server_->port()),
      receiving(server_->port());
  arriving.send(kComplete.substr(0, 10));
  held.send(request_for("GET", "/held"));
  receiving.send(request_for("GET", "/large"));
  EXPECT_EQ(receiving.receive(1000).size(), 1000u);
  ASSERT_TRUE(wait_until([this] { return in_handlers_ == 1; }));
  std::jthread release([this] { is_released_ = true; });
  server_.reset();
  EXPECT_EQ(idle.receive(), "");
  EXPECT_EQ(arriving.receive(), "");
  (void)held.receive();
  EXPECT_LT(receiving.receive().size(), kLargeBytes);
  EXPECT_TRUE(sent_.expired());
}

// Requests that wait for a handler are dropped.
TEST_F(ManyClients, DoNotKeepTheServerFromStoppingIfTheyWait) {
  Limits limits;
  limits.handlers = 1;
  start(limits);
  std::vector<RawClient> clients(10);
  for (RawClient& client : clients) {
    ASSERT_TRUE(client.connect(server_->port()));
    client.send(request_for("GET", "/held"));
  }
  ASSERT_TRUE(wait_until([this] { return in_handlers_ == 1; }));
  std::jthread release([this] { is_released_ = true; });
  server_.reset();
  for (RawClient& client : clients) (void)client.receive();
  EXPECT_EQ(max_in_handlers_, 1);
}

// When descriptors are exhausted, the server waits. It neither ends nor spins.
TEST_F(ManyClients, AreServedWhenThereAreDescriptorsAgain) {
  start();
  RawClient client;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  int free = ::dup(0);
  ::close(free);
  rlimit none{static_cast<rlim_t>(free), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  bool is_connected = client.connect(server_->port()) && client.send(kComplete);
  std::this_thread::sleep_for(milliseconds(20));
  bool is_waiting = client.is_waiting();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(is_connected && is_waiting);
  EXPECT_EQ(body_of(client.receive()), "/small");
}

}  // namespace
}  // namespace hm::http
