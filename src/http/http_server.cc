// SPDX-License-Identifier: MIT
#include "http/http_server.h"

#include <pthread.h>

#include <csignal>
#include <system_error>
#include <utility>

#include "http/event_loop.h"
#include "http/listening_socket.h"

namespace hm::http {
namespace {

// Threads that are created during its lifetime have all signals blocked, so that signals reach the main
// thread, which waits for them.
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

}  // namespace

Server::Server(std::unique_ptr<EventLoop> loop, uint16_t port)
    : loop_(std::move(loop)), port_(port), thread_([this] { loop_->run(); }) {}

Result<std::unique_ptr<Server>> Server::start(const Address& address, std::string_view what, Handler handler,
                                              const Limits& limits) {
  Result<UniqueFd> listener = listen_at(address, what);
  if (!listener) return listener.error();
  uint16_t port = bound_port(listener->get());
  BlockedSignals blocked;
  Result<std::unique_ptr<EventLoop>> loop = EventLoop::make(*std::move(listener), std::move(handler), limits);
  if (!loop) return make_error(loop.error().code, "{} cannot be served: {}", what, loop.error().message);
  try {
    return std::unique_ptr<Server>(new Server(*std::move(loop), port));
  } catch (const std::system_error& error) {
    return make_error(ErrorCode::kIo, "{} cannot be served: no thread can be created: {}", what,
                      errno_text(error.code().value()));
  }
}

Server::~Server() {
  loop_->stop();
  thread_.join();
}

}  // namespace hm::http
