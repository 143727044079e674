// SPDX-License-Identifier: MIT
#include "view/prometheus/http_server.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"

namespace hm::prometheus {
namespace {

constexpr std::string_view kText = "text/plain; version=0.0.4; charset=utf-8";

// While there is one, threads begin with all signals blocked: they reach the main thread, which waits for
// them.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// civetweb says why only in words for its log. Success where it could be bound now.
Status bind_once(const Address& address) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(address.port);
  ::inet_pton(AF_INET, address.host.c_str(), &name.sin_addr);
  int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 &&
      ::listen(socket.get(), 1) == 0)
    return {};
  int number = errno;
  ErrorCode code = number == EACCES || number == EPERM ? ErrorCode::kPermission : ErrorCode::kIo;
  return make_error(code, "metrics cannot be served at {}:{}: {}", address.host, address.port,
                    errno_text(number));
}

Error why_not(const Address& address) {
  Status bound = bind_once(address);
  if (!bound) return bound.error();
  return make_error(ErrorCode::kIo, "metrics cannot be served at {}:{}: the HTTP server did not start",
                    address.host, address.port);
}

void respond(mg_connection* connection, std::string_view status, std::string_view body, bool with_body) {
  std::string head =
      fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                  status, kText, body.size());
  mg_write(connection, head.data(), head.size());
  if (with_body) mg_write(connection, body.data(), body.size());
}

int keep_quiet(const mg_connection* /*connection*/, const char* /*message*/) { return 1; }

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const Address& address, Body metrics) {
  std::unique_ptr<HttpServer> server(new HttpServer(std::move(metrics)));
  mg_callbacks callbacks{};
  callbacks.begin_request = answer;
  callbacks.log_message = keep_quiet;
  callbacks.log_access = keep_quiet;
  std::string where = fmt::format("{}:{}", address.host, address.port);
  const char* options[] = {"listening_ports",
                           where.c_str(),
                           "num_threads",
                           "4",  // at a time
                           "connection_queue",
                           "8",
                           "listen_backlog",
                           "16",
                           "max_request_size",
                           "8192",
                           "request_timeout_ms",
                           "3000",
                           "enable_keep_alive",
                           "no",
                           nullptr};
  BlockedSignals blocked;
  server->context_ = mg_start(&callbacks, server.get(), options);
  if (server->context_ == nullptr) return why_not(address);
  mg_server_port port{};
  mg_get_server_ports(server->context_, 1, &port);
  server->port_ = static_cast<uint16_t>(port.port);
  return server;
}

HttpServer::~HttpServer() {
  if (context_ != nullptr) mg_stop(context_);
}

// Not 0: nothing is left for civetweb to do, which would look for files, programs to run, and more.
int HttpServer::answer(mg_connection* connection) {
  const mg_request_info* request = mg_get_request_info(connection);
  std::string_view path = request->local_uri == nullptr ? "" : request->local_uri;
  std::string_view method = request->request_method;
  bool is_head = method == "HEAD";
  if (path != "/metrics") {
    respond(connection, "404 Not Found", "there is only /metrics here\n", !is_head);
    return 404;
  }
  if (method != "GET" && !is_head) {
    respond(connection, "405 Method Not Allowed\r\nAllow: GET, HEAD", "there is only GET here\n", true);
    return 405;
  }
  auto* server = static_cast<HttpServer*>(request->user_data);
  respond(connection, "200 OK", *server->metrics_(), !is_head);
  return 200;
}

}  // namespace hm::prometheus
