// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <chrono>
#include <vector>

#include "base/unique_fd.h"

namespace hm::http {

// Connections with a completely written response that the client has not closed yet. If a socket has unread
// input, closing it makes the kernel reset the connection and drop unreceived parts of the response (RFC
// 9112, section 9.6). Therefore the input is read and dropped first, for a limited time.
class Lingering {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes a connection over by a duplicate of its descriptor, which the caller may close. Closes the oldest
  // connection if there would be more than `max_sockets`.
  void add(int socket, size_t max_sockets);

  // Appends the descriptors for poll(2).
  void append_to(std::vector<pollfd>& polled) const;
  // Returns when the oldest connection has to be closed; the clock's maximum if there is none.
  [[nodiscard]] Clock::time_point deadline() const;
  // Drops the input that has arrived. Closes connections that the client has closed, and overdue ones.
  void drain();

 private:
  struct Socket {
    UniqueFd descriptor;
    Clock::time_point deadline;
  };

  std::vector<Socket> sockets_;  // the oldest first
};

}  // namespace hm::http
