// SPDX-License-Identifier: MIT
#include "http/lingering.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace hm::http {
namespace {

constexpr std::chrono::seconds kLingerTime{2};

// Returns true if the client may still send something.
bool drop_input(int socket) {
  constexpr int kMaxReads = 64;  // at once, because other connections wait
  std::array<char, size_t{16} << 10> dropped{};
  for (int i = 0; i < kMaxReads; ++i) {
    ssize_t size = ::recv(socket, dropped.data(), dropped.size(), MSG_DONTWAIT);
    if (size == 0) return false;
    if (size < 0) return errno == EAGAIN || errno == EINTR;
  }
  return true;
}

}  // namespace

void Lingering::add(int socket, size_t max_sockets) {
  UniqueFd own(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
  if (!own.valid()) return;
  ::shutdown(own.get(), SHUT_WR);
  if (!drop_input(own.get())) return;
  if (sockets_.size() >= max_sockets) sockets_.erase(sockets_.begin());
  sockets_.push_back({std::move(own), Clock::now() + kLingerTime});
}

void Lingering::append_to(std::vector<pollfd>& polled) const {
  for (const Socket& each : sockets_) polled.push_back({each.descriptor.get(), POLLIN, 0});
}

Lingering::Clock::time_point Lingering::deadline() const {
  return sockets_.empty() ? Clock::time_point::max() : sockets_.front().deadline;
}

void Lingering::drain() {
  Clock::time_point now = Clock::now();
  std::erase_if(sockets_, [now](const Socket& each) {
    return each.deadline <= now || !drop_input(each.descriptor.get());
  });
}

}  // namespace hm::http
