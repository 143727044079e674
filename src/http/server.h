// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/address.h"

struct mg_connection;
struct mg_context;

namespace hm::http {

inline constexpr size_t kMostBodyBytes = size_t{1} << 16;

struct Request {
  std::string method;
  std::string path;   // decoded, without what comes after '?'
  std::string query;  // that, as it was sent
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body{};  // of at most kMostBodyBytes: longer ones are refused

  // Names are equal without regard to case. Empty where it is not there.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type;  // Content-Type
  std::shared_ptr<const std::string> body;
  std::vector<std::pair<std::string, std::string>> headers{};
};

// "a=1&b=%2F" as pairs, decoded.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view query);

// Answers requests from its own threads, until it is destroyed. It is ready for anyone's: how
// many are served at a time, how long each may be and may take to arrive is bounded. A client that is slow on
// purpose can make others wait, but not this program.
class Server {
 public:
  // Called in any thread, by several at a time. To HEAD it answers as to GET.
  using Handler = std::function<Response(const Request&)>;

  // `what` is served there, for messages. kPermission, or kIo where the address is not this machine's, or its
  // port in use.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(const Address& address, std::string_view what,
                                                             Handler handler);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] uint16_t port() const { return port_; }

 private:
  explicit Server(Handler handler) : handler_(std::move(handler)) {}
  static int answer(mg_connection* connection);

  Handler handler_;
  mg_context* context_ = nullptr;
  uint16_t port_ = 0;
};

}  // namespace hm::http
