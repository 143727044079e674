// SPDX-License-Identifier: MIT
#pragma once

#include <microhttpd.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "http/http_message.h"
#include "http/microhttpd.h"

namespace hm::http {

// One connection with a single request: every response closes its connection.
class Exchange {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Stage { kHead, kBody, kHandler, kSending };

  Exchange(const Microhttpd& library, MHD_Connection* connection, std::chrono::milliseconds send_timeout);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // `target` as in the request line: the path and the query, not decoded.
  void set_target(std::string_view target) { target_ = target; }
  // Returns the refusal if the request line, the header, or the length that they announce for the body is too
  // large.
  [[nodiscard]] std::optional<Response> check_head(std::string_view method);
  void append_body(std::string_view data);
  // Composes the request from the received data. Returns the refusal if it is invalid or its body too long.
  [[nodiscard]] std::optional<Response> finish_request();
  // Gives the library a response to send. Fails if memory is short, or if a header field contains a line
  // break.
  [[nodiscard]] MHD_Result queue(const Response& given);

  [[nodiscard]] MHD_Connection* connection() const { return connection_; }
  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] const Request& request() const { return request_; }

  Stage stage = Stage::kHead;
  Clock::time_point deadline;  // when the connection is closed; the clock's maximum: never
  bool is_overdue = false;     // its socket was shut down at the deadline
  Response response;           // set by the handler

 private:
  struct Sending;
  static ssize_t read_block(void* sending, uint64_t position, char* block, size_t size);
  static void end_sending(void* sending);

  const Microhttpd& library_;
  MHD_Connection* const connection_;
  const int socket_;
  const std::chrono::milliseconds send_timeout_;
  std::string target_;
  bool is_body_too_long_ = false;
  Request request_;
};

}  // namespace hm::http
