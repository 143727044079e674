// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "http/http_address.h"
#include "http/http_message.h"
#include "http/limits.h"

namespace hm::http {

class EventLoop;

// Serves requests in its own threads until it is destroyed; the destructor waits for running handlers. It may
// serve untrusted clients: `limits` bounds the number of open connections and running handlers, and the time
// to receive a request and to send a response. Requests are limited in size (http/http_message.h). A
// deliberately slow client can delay other clients, but not this program. Each response closes its
// connection.
class Server {
 public:
  // `what` names what is served, for messages: "metrics". HEAD reaches the handler as GET. Fails with
  // kPermission; with kIo if the address is not this machine's, its port is in use, or a resource is
  // exhausted; with kNotFound if libmicrohttpd is not installed.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(const Address& address, std::string_view what,
                                                             Handler handler, const Limits& limits = {});
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] uint16_t port() const { return port_; }

 private:
  Server(std::unique_ptr<EventLoop> loop, uint16_t port);

  std::unique_ptr<EventLoop> loop_;
  uint16_t port_;
  std::thread thread_;  // runs `loop_`
};

}  // namespace hm::http
