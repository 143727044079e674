// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <chrono>
#include <vector>

#include "base/unique_fd.h"

namespace hm::http {

// Connections whose response has been written completely, but which the client has not closed yet. Closing a
// socket that has unread input makes the kernel reset the connection, and drop what the client has not
// received of the response (RFC 9112, section 9.6). So the input is read and dropped first, for a limited
// time.
class Lingering {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes a connection over by a duplicate of its descriptor, which the caller may close. Closes the oldest
  // connection if there would be more than `max_sockets`.
  void add(int socket, size_t max_sockets);

  // Appends what poll(2) has to wait for.
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
