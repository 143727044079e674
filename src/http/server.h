// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "http/address.h"
#include "http/limits.h"
#include "http/message.h"

namespace hm::http {

class EventLoop;

// Answers requests in its own threads until it is destroyed, which waits for the handlers that run. It may
// serve untrusted clients: `limits` bounds how many connections are open, how many handlers run, how large a
// request is, and how long a request takes to arrive and a response to be received. A client that is slow on
// purpose can make others wait, but not this program. Each response closes its connection.
class Server {
 public:
  // `what` is served there, for messages: "metrics". HEAD reaches the handler as GET. Fails with kPermission;
  // with kIo if the address is not this machine's, its port is in use, or a resource is short; with kNotFound
  // if libmicrohttpd is not installed.
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
