// SPDX-License-Identifier: MIT
// Requests to servers, by libcurl, which is loaded when the first one is made: few commands need it, and it
// brings thirty libraries along.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hm::http {

struct ClientOptions {
  std::string authority;  // a file of certificates that are trusted; empty: the system's
  std::vector<std::pair<std::string, std::string>> headers;  // of each request
  std::chrono::seconds patience{60};                         // for a whole answer
};

struct Reply {
  int status = 0;
  std::string body;
};

// One thread at a time; connections are kept from request to request. Servers' certificates are checked, and
// no redirection is followed.
class Client {
 public:
  // kNotFound where libcurl is not installed.
  [[nodiscard]] static Result<Client> make(ClientOptions options);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // kIo where no whole answer came: what was asked may have been done nevertheless.
  [[nodiscard]] Result<Reply> post(const std::string& url, const std::string& type, const std::string& body);

 private:
  struct State;
  explicit Client(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// For a part of an address.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace hm::http
