// SPDX-License-Identifier: MIT
#include "http/event_loop.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace hm::http {
namespace {

// Memory for one connection: the request's head as text and parsed, and the head of the response.
constexpr size_t kPoolBytes = size_t{32} << 10;
constexpr std::chrono::milliseconds kAcceptPause{100};  // after accept(2) has failed

}  // namespace

EventLoop::EventLoop(UniqueFd listener, Handler handler, const Limits& limits)
    : library_(microhttpd()), listener_(std::move(listener)), handler_(std::move(handler)), limits_(limits) {}

Result<std::unique_ptr<EventLoop>> EventLoop::make(UniqueFd listener, Handler handler, const Limits& limits) {
  std::unique_ptr<EventLoop> loop(new EventLoop(std::move(listener), std::move(handler), limits));
  if (Status begun = loop->begin(); !begun) return begun.error();
  return loop;
}

Status EventLoop::begin() {
  if (library_ == nullptr)
    return make_error(ErrorCode::kNotFound, "libmicrohttpd is not installed (Debian: libmicrohttpd12)");
  wakes_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wakes_.valid()) return make_error(ErrorCode::kIo, "{}", errno_text(errno));
  daemon_ = library_->start_daemon(
      MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr, nullptr,
      &request_callback, this, MHD_OPTION_NOTIFY_CONNECTION, &connection_callback, this,
      MHD_OPTION_URI_LOG_CALLBACK, &target_callback, this, MHD_OPTION_CONNECTION_LIMIT,
      static_cast<unsigned>(limits_.connections), MHD_OPTION_CONNECTION_MEMORY_LIMIT, kPoolBytes,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (daemon_ == nullptr) return make_error(ErrorCode::kIo, "libmicrohttpd did not start");
  events_ = library_->get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  try {
    workers_.emplace(limits_.handlers);
  } catch (const std::system_error& error) {
    return make_error(ErrorCode::kIo, "no thread can be created: {}", errno_text(error.code().value()));
  }
  return {};
}

EventLoop::~EventLoop() {
  workers_.reset();
  if (daemon_ != nullptr) close_all();
}

void EventLoop::run() {
  while (!is_stopped_) {
    if (wait()) accept_waiting();
    resume_answered();
    library_->run(daemon_);
    lingering_.drain();
    close_overdue();
  }
  workers_.reset();
  close_all();
}

void EventLoop::stop() {
  is_stopped_ = true;
  wake();
}

void EventLoop::wake() {
  uint64_t one = 1;
  (void)!::write(wakes_.get(), &one, sizeof one);  // fails only if a wake-up is already pending
}

bool EventLoop::can_accept() const {
  return exchanges_.size() < limits_.connections && Clock::now() >= accepts_after_;
}

int EventLoop::wait_ms() const {
  MHD_UNSIGNED_LONG_LONG pending = 0;
  if (library_->get_timeout(daemon_, &pending) == MHD_YES && pending == 0) return 0;
  Clock::time_point now = Clock::now(), next = lingering_.deadline();
  if (accepts_after_ > now) next = std::min(next, accepts_after_);
  for (const auto& [unused, exchange] : exchanges_) next = std::min(next, exchange.deadline);
  if (next == Clock::time_point::max()) return -1;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(std::max(next - now, {})).count());
}

bool EventLoop::wait() {
  std::vector<pollfd> polled{{listener_.get(), static_cast<short>(can_accept() ? POLLIN : 0), 0},
                             {wakes_.get(), POLLIN, 0},
                             {events_, POLLIN, 0}};
  lingering_.append_to(polled);
  ::poll(polled.data(), polled.size(), wait_ms());
  uint64_t wakes = 0;
  (void)!::read(wakes_.get(), &wakes, sizeof wakes);
  return polled.front().revents != 0;
}

void EventLoop::accept_waiting() {
  while (can_accept()) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    auto* address = reinterpret_cast<sockaddr*>(&peer);
    int socket = ::accept4(listener_.get(), address, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
      library_->add_connection(daemon_, socket, address, size);  // closes the socket if it fails
      continue;
    }
    if (errno == EAGAIN) return;
    if (errno != ECONNABORTED && errno != EINTR) accepts_after_ = Clock::now() + kAcceptPause;
  }
}

void EventLoop::resume_answered() {
  std::vector<Exchange*> answered;
  {
    MutexLock lock(mutex_);
    answered.swap(answered_);
  }
  for (const Exchange* exchange : answered) library_->resume_connection(exchange->connection());
}

// The library notices that the socket is shut down, and closes it.
void EventLoop::close_overdue() {
  Clock::time_point now = Clock::now();
  for (auto& [unused, exchange] : exchanges_) {
    if (exchange.deadline > now) continue;
    ::shutdown(exchange.socket(), SHUT_RDWR);
    exchange.deadline = Clock::time_point::max();
    exchange.is_overdue = true;
  }
}

// The workers have ended. The library must have no suspended connection when it is stopped.
void EventLoop::close_all() {
  for (const auto& [connection, exchange] : exchanges_) {
    if (exchange.stage == Exchange::Stage::kHandler) library_->resume_connection(connection);
  }
  library_->stop_daemon(std::exchange(daemon_, nullptr));
}

// Runs in a worker thread.
void EventLoop::answer(Exchange& exchange) {
  exchange.response = handler_(exchange.request());
  {
    MutexLock lock(mutex_);
    answered_.push_back(&exchange);
  }
  wake();
}

void EventLoop::on_connection(MHD_Connection* connection, bool has_begun) {
  if (has_begun) {
    auto [place, unused] = exchanges_.try_emplace(connection, *library_, connection, limits_.send_timeout);
    place->second.deadline = Clock::now() + limits_.request_timeout;
    return;
  }
  auto place = exchanges_.find(connection);
  if (!is_stopped_ && !place->second.is_overdue) lingering_.add(place->second.socket(), limits_.connections);
  exchanges_.erase(place);
}

MHD_Result EventLoop::advance(Exchange& exchange, std::string_view method, std::string_view data) {
  using Stage = Exchange::Stage;
  switch (exchange.stage) {
    case Stage::kHead:
      exchange.stage = Stage::kBody;
      if (std::optional<Response> refusal = exchange.check_head(method)) return exchange.queue(*refusal);
      return MHD_YES;
    case Stage::kBody:
      if (!data.empty()) {
        exchange.append_body(data);
        return MHD_YES;
      }
      if (std::optional<Response> refusal = exchange.finish_request()) return exchange.queue(*refusal);
      exchange.stage = Stage::kHandler;
      exchange.deadline = Clock::time_point::max();
      library_->suspend_connection(exchange.connection());
      workers_->add([this, &exchange] { answer(exchange); });
      return MHD_YES;
    case Stage::kHandler:
      return exchange.queue(exchange.response);
    case Stage::kSending:
      return MHD_YES;  // drops the rest of the request's body
  }
  return MHD_NO;
}

void EventLoop::connection_callback(void* self, MHD_Connection* connection, void** /*unused*/,
                                    MHD_ConnectionNotificationCode code) {
  static_cast<EventLoop*>(self)->on_connection(connection, code == MHD_CONNECTION_NOTIFY_STARTED);
}

// The path that the library passes to request_callback() is decoded, and ends at the first NUL.
void* EventLoop::target_callback(void* self, const char* target, MHD_Connection* connection) {
  if (target != nullptr) static_cast<EventLoop*>(self)->exchanges_.at(connection).set_target(target);
  return nullptr;
}

MHD_Result EventLoop::request_callback(void* self, MHD_Connection* connection, const char* /*path*/,
                                       const char* method, const char* /*version*/, const char* data,
                                       size_t* size, void** /*unused*/) {
  auto* loop = static_cast<EventLoop*>(self);
  std::string_view arrived(data, std::exchange(*size, 0));
  return loop->advance(loop->exchanges_.at(connection), method, arrived);
}

}  // namespace hm::http
