// SPDX-License-Identifier: MIT
#include "http/exchange.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/take_until.h"

namespace hm::http {
namespace {

// Part of a response that must be received within the timeout.
constexpr size_t kBlockBytes = size_t{64} << 10;

MHD_Result append_header(void* headers, MHD_ValueKind /*kind*/, const char* name, size_t name_size,
                         const char* value, size_t value_size) {
  static_cast<decltype(Request::headers)*>(headers)->emplace_back(
      std::string(name, name_size), value == nullptr ? std::string() : std::string(value, value_size));
  return MHD_YES;
}

Response body_refusal() { return text_response(413, "the body is longer than 64 KiB\n"); }

uint64_t announced_body_bytes(const Request& request) {
  std::string_view digits = request.header("Content-Length");
  uint64_t bytes = 0;  // stays 0 if it is missing or invalid, in which case the library rejects the request
  std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return bytes;
}

}  // namespace

// The body outlives the exchange: the library frees the response after the connection.
struct Exchange::Sending {
  Exchange& exchange;
  std::shared_ptr<const std::string> body;
};

Exchange::Exchange(const Microhttpd& library, MHD_Connection* connection,
                   std::chrono::milliseconds send_timeout)
    : library_(library),
      connection_(connection),
      socket_(library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd),
      send_timeout_(send_timeout) {}

std::optional<Response> Exchange::check_head(std::string_view method) {
  request_.method = method;
  library_.get_connection_values_n(connection_, MHD_HEADER_KIND, &append_header, &request_.headers);
  if (target_.size() > kMaxHeadBytes) return text_response(414, "the address is longer than 8 KiB\n");
  size_t size =
      library_.get_connection_info(connection_, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
  if (size > kMaxHeadBytes) return text_response(431, "the header is longer than 8 KiB\n");
  if (announced_body_bytes(request_) > kMaxBodyBytes) return body_refusal();
  return std::nullopt;
}

void Exchange::append_body(std::string_view data) {
  is_body_too_long_ = is_body_too_long_ || request_.body.size() + data.size() > kMaxBodyBytes;
  if (!is_body_too_long_) request_.body += data;
}

std::optional<Response> Exchange::finish_request() {
  if (is_body_too_long_) return body_refusal();
  std::string_view query = target_;
  request_.path = percent_decoded(take_until(query, '?'));
  request_.query = query;
  if (request_.method == "GET" || request_.method == "HEAD") request_.body.clear();
  if (request_.method == "HEAD") request_.method = "GET";
  if (!request_.path.starts_with('/') || request_.path.find('\0') != std::string::npos)
    return text_response(400, "the address is not a path, or contains a NUL\n");
  return std::nullopt;
}

MHD_Result Exchange::queue(const Response& given) {
  auto body = given.body ? given.body : std::make_shared<const std::string>();
  size_t size = body->size();
  auto sending = std::make_unique<Sending>(Sending{*this, std::move(body)});
  MHD_Response* made = library_.create_response_from_callback(size, std::clamp<size_t>(size, 1, kBlockBytes),
                                                              &read_block, sending.get(), &end_sending);
  if (made == nullptr) return MHD_NO;
  sending.release();  // NOLINT(bugprone-unused-return-value): `made` owns it
  bool has_all = library_.add_response_header(made, "Content-Type", given.type.c_str()) == MHD_YES &&
                 library_.add_response_header(made, "Connection", "close") == MHD_YES;
  for (const auto& [name, value] : given.headers)
    has_all = has_all && library_.add_response_header(made, name.c_str(), value.c_str()) == MHD_YES;
  stage = Stage::kSending;
  deadline = Clock::now() + send_timeout_;
  MHD_Result queued =
      has_all ? library_.queue_response(connection_, static_cast<unsigned>(given.status), made) : MHD_NO;
  library_.destroy_response(made);  // a queued response keeps its own reference
  return queued;
}

ssize_t Exchange::read_block(void* sending, uint64_t position, char* block, size_t size) {
  const auto* self = static_cast<Sending*>(sending);
  self->exchange.deadline = Clock::now() + self->exchange.send_timeout_;
  return static_cast<ssize_t>(self->body->copy(block, size, position));
}

void Exchange::end_sending(void* sending) { delete static_cast<Sending*>(sending); }

}  // namespace hm::http
