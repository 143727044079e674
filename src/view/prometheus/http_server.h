// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "view/prometheus/address.h"

struct mg_connection;
struct mg_context;

namespace hm::prometheus {

// Answers GET and HEAD of /metrics, and nothing else, from its own threads, until it is destroyed. It is
// ready for anyone's requests: how many are served at a time, how long each may be and may take is bounded.
// A client that is slow on purpose can make others wait, but not this program.
class HttpServer {
 public:
  // `metrics`: the body; called in any thread, by several at a time.
  using Body = std::function<std::shared_ptr<const std::string>()>;

  // kPermission, or kIo where the address is not this machine's, or its port in use.
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> start(const Address& address, Body metrics);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  [[nodiscard]] uint16_t port() const { return port_; }

 private:
  explicit HttpServer(Body metrics) : metrics_(std::move(metrics)) {}
  static int answer(mg_connection* connection);

  Body metrics_;
  mg_context* context_ = nullptr;
  uint16_t port_ = 0;
};

}  // namespace hm::prometheus
