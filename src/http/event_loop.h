// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "http/exchange.h"
#include "http/http_message.h"
#include "http/limits.h"
#include "http/lingering.h"
#include "http/microhttpd.h"
#include "http/workers.h"

namespace hm::http {

// Accepts connections, receives requests and sends responses in one thread; handlers run in others. The
// library parses and composes HTTP. This class accepts connections and closes slow ones itself. The library's
// only timeout requires silence, so a client that sends a byte now and then never reaches it. The library
// also spins if no descriptors are left.
class EventLoop {
 public:
  // Fails with kNotFound if libmicrohttpd is not installed, with kIo if memory, descriptors or threads are
  // short.
  [[nodiscard]] static Result<std::unique_ptr<EventLoop>> make(UniqueFd listener, Handler handler,
                                                               const Limits& limits);
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  // Serves until stop(); call it once, in one thread. Handlers that have begun are waited for, and all
  // connections are closed.
  void run();
  // May be called in any thread.
  void stop();

 private:
  using Clock = Exchange::Clock;

  EventLoop(UniqueFd listener, Handler handler, const Limits& limits);
  [[nodiscard]] Status begin();
  void wake();
  // Returns true if a client is waiting to be accepted.
  bool wait();
  void accept_waiting();
  void resume_answered();
  void close_overdue();
  void close_all();
  void answer(Exchange& exchange);
  [[nodiscard]] bool can_accept() const;
  [[nodiscard]] int wait_ms() const;
  [[nodiscard]] MHD_Result advance(Exchange& exchange, std::string_view method, std::string_view data);
  void on_connection(MHD_Connection* connection, bool has_begun);

  // The library calls these with `self`.
  static void connection_callback(void* self, MHD_Connection* connection, void** unused,
                                  MHD_ConnectionNotificationCode code);
  static void* target_callback(void* self, const char* target, MHD_Connection* connection);
  static MHD_Result request_callback(void* self, MHD_Connection* connection, const char* path,
                                     const char* method, const char* version, const char* data, size_t* size,
                                     void** unused);

  const Microhttpd* library_ = nullptr;
  const UniqueFd listener_;
  const Handler handler_;
  const Limits limits_;
  UniqueFd wakes_;  // an eventfd(2) that wakes run() after a change
  std::atomic<bool> is_stopped_ = false;
  MHD_Daemon* daemon_ = nullptr;
  int events_ = -1;  // the library's epoll(7) instance
  Clock::time_point accepts_after_;
  std::map<MHD_Connection*, Exchange> exchanges_;
  Lingering lingering_;
  Mutex mutex_;  // guards `answered_`
  std::vector<Exchange*> answered_
      HM_GUARDED_BY(mutex_);        // by a handler, since the last call of resume_answered()
  std::optional<Workers> workers_;  // declared last, because its jobs use the members above
};

}  // namespace hm::http
