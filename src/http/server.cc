// SPDX-License-Identifier: MIT
#include "http/server.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "base/unique_fd.h"

namespace hm::http {
namespace {

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
Status bind_once(const Address& address, std::string_view what) {
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
  return make_error(code, "{} cannot be served at {}:{}: {}", what, address.host, address.port,
                    errno_text(number));
}

Error why_not(const Address& address, std::string_view what) {
  Status bound = bind_once(address, what);
  if (!bound) return bound.error();
  return make_error(ErrorCode::kIo, "{} cannot be served at {}:{}: the HTTP server did not start", what,
                    address.host, address.port);
}

void send(mg_connection* connection, const Response& response, bool with_body) {
  std::string head = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n", response.status,
      mg_get_response_code_text(connection, response.status), response.type, response.body->size());
  for (const auto& [name, value] : response.headers) head += fmt::format("{}: {}\r\n", name, value);
  head += "\r\n";
  mg_write(connection, head.data(), head.size());
  if (with_body) mg_write(connection, response.body->data(), response.body->size());
}

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

Request request_of(const mg_request_info& info) {
  Request request{text_of(info.request_method), text_of(info.local_uri), text_of(info.query_string), {}};
  for (int i = 0; i < info.num_headers; ++i) {
    const mg_header& header = info.http_headers[i];
    request.headers.emplace_back(text_of(header.name), text_of(header.value));
  }
  return request;
}

// nullopt where it is too long, or its length is not said.
std::optional<std::string> read_body(mg_connection* connection, const mg_request_info& info) {
  if (info.content_length == 0 || std::string_view(info.request_method) == "GET") return "";
  if (info.content_length > static_cast<long long>(kMostBodyBytes)) return std::nullopt;
  std::string body(kMostBodyBytes + 1, '\0');
  size_t size = 0;
  while (size < body.size()) {
    int got = mg_read(connection, body.data() + size, body.size() - size);
    if (got <= 0) break;
    size += static_cast<size_t>(got);
  }
  if (size > kMostBodyBytes) return std::nullopt;
  body.resize(size);
  return body;
}

std::string decoded(std::string_view text) {
  std::string plain(text.size() + 1, '\0');
  int length = mg_url_decode(text.data(), static_cast<int>(text.size()), plain.data(),
                             static_cast<int>(plain.size()), 1);
  plain.resize(length < 0 ? 0 : static_cast<size_t>(length));
  return plain;
}

int keep_quiet(const mg_connection* /*connection*/, const char* /*message*/) { return 1; }

}  // namespace

std::string_view Request::header(std::string_view name) const {
  for (const auto& [own, value] : headers) {
    if (std::ranges::equal(
            own, name, {}, [](char c) { return std::tolower(static_cast<unsigned char>(c)); },
            [](char c) { return std::tolower(static_cast<unsigned char>(c)); }))
      return value;
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    size_t equals = std::min(pair.find('='), pair.size());
    pairs.emplace_back(decoded(pair.substr(0, equals)),
                       decoded(pair.substr(std::min(equals + 1, pair.size()))));
  }
  return pairs;
}

Result<std::unique_ptr<Server>> Server::start(const Address& address, std::string_view what,
                                              Handler handler) {
  std::unique_ptr<Server> server(new Server(std::move(handler)));
  mg_callbacks callbacks{};
  callbacks.begin_request = answer;
  callbacks.log_message = keep_quiet;
  callbacks.log_access = keep_quiet;
  std::string where = fmt::format("{}:{}", address.host, address.port);
  const char* options[] = {"listening_ports",
                           where.c_str(),
                           "num_threads",
                           "8",  // at a time
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
  if (server->context_ == nullptr) return why_not(address, what);
  mg_server_port port{};
  mg_get_server_ports(server->context_, 1, &port);
  server->port_ = static_cast<uint16_t>(port.port);
  return server;
}

Server::~Server() {
  if (context_ != nullptr) mg_stop(context_);
}

// Not 0: nothing is left for civetweb to do, which would look for files, programs to run, and more.
int Server::answer(mg_connection* connection) {
  const mg_request_info* info = mg_get_request_info(connection);
  auto* server = static_cast<Server*>(info->user_data);
  Request request = request_of(*info);
  std::optional<std::string> body = read_body(connection, *info);
  if (!body) {
    send(connection, {413, "text/plain", std::make_shared<const std::string>("that is too long\n")}, true);
    return 413;
  }
  request.body = *std::move(body);
  bool is_head = request.method == "HEAD";
  if (is_head) request.method = "GET";
  Response response;
  // civetweb's own threads have a tenth of a MiB of stack, and libdw needs more.
  std::thread([&] { response = server->handler_(request); }).join();
  if (!response.body) response.body = std::make_shared<const std::string>();
  send(connection, response, !is_head);
  return response.status;
}

}  // namespace hm::http
