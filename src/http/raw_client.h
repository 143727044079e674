// SPDX-License-Identifier: MIT
// HTTP client for tests, which sends bytes unchanged, valid or not.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace hm::http {

class RawClient {
 public:
  RawClient() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  explicit RawClient(uint16_t port) : RawClient() { (void)connect(port); }

  [[nodiscard]] bool connect(uint16_t port) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
  }

  // Returns false if the server has closed the connection.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  // Returns the data received until the server closes the connection, or until `max_bytes` have arrived.
  std::string receive(size_t max_bytes = SIZE_MAX) {
    std::string received;
    std::vector<char> block(size_t{1} << 16);
    while (received.size() < max_bytes) {
      size_t wanted = std::min(block.size(), max_bytes - received.size());
      ssize_t size = ::recv(socket_.get(), block.data(), wanted, 0);
      if (size <= 0) break;
      received.append(block.data(), static_cast<size_t>(size));
    }
    return received;
  }

  // Returns true if nothing has arrived and the connection is open.
  [[nodiscard]] bool is_waiting() {
    char byte = 0;
    return ::recv(socket_.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
  }

  std::string ask(std::string_view request) {
    send(request);
    return receive();
  }

  // Makes the kernel buffer only few bytes that have not been received. Call it before connect().
  void limit_receive_buffer() {
    int bytes = 4096;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  }

  void end_sending() { ::shutdown(socket_.get(), SHUT_WR); }

  // Closes the connection immediately and drops unread data.
  void reset() {
    linger at_once{1, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    socket_.reset();
  }

 private:
  UniqueFd socket_;
};

// Returns for example "200", or an empty string if there is no response.
inline std::string status_of(const std::string& response) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  return response.starts_with(kVersion) ? response.substr(kVersion.size(), 3) : "";
}

inline std::string body_of(const std::string& response) {
  constexpr std::string_view kHeadEnd = "\r\n\r\n";
  size_t end = response.find(kHeadEnd);
  return end == std::string::npos ? "" : response.substr(end + kHeadEnd.size());
}

// Returns a request without a body.
inline std::string request_for(std::string_view method, std::string_view target) {
  return std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

}  // namespace hm::http
