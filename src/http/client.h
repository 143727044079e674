// SPDX-License-Identifier: MIT
// HTTP client with libcurl, which is loaded at the first request, because few commands need it and it depends
// on thirty libraries.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hm::http {

struct ClientOptions {
  std::string authority;  // file of trusted certificates; empty: the system's
  std::vector<std::pair<std::string, std::string>> headers;  // of every request
  std::chrono::seconds patience{60};                         // timeout for the whole reply
};

struct Reply {
  int status = 0;
  std::string body;
};

// Use it from one thread at a time. Keeps connections open between requests, checks servers' certificates,
// and does not follow redirects.
class Client {
 public:
  // Fails with kNotFound if libcurl is not installed.
  [[nodiscard]] static Result<Client> make(ClientOptions options);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // Fails with kIo if the reply is incomplete. The server may have processed the request nevertheless.
  [[nodiscard]] Result<Reply> post(const std::string& url, const std::string& type, const std::string& body);

 private:
  struct State;
  explicit Client(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Encodes text for a part of a URL.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace hm::http
