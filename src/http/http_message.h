// SPDX-License-Identifier: MIT
// HTTP requests and responses as values.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hm::http {

inline constexpr size_t kMaxHeadBytes = size_t{8} << 10;  // the request line and the header fields
inline constexpr size_t kMaxBodyBytes = size_t{64} << 10;

struct Request {
  std::string method;
  std::string path;   // decoded, without the query; never contains a NUL
  std::string query;  // the part after '?', as the client sent it
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body{};  // at most kMaxBodyBytes; empty for GET and HEAD

  // Returns the first header field of this name, or an empty string if the request has none. Upper and lower
  // case are equal in names.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type;  // Content-Type
  std::shared_ptr<const std::string> body;
  std::vector<std::pair<std::string, std::string>> headers{};
};

// Computes the response to a request. Several threads call it at a time.
using Handler = std::function<Response(const Request&)>;

[[nodiscard]] Response text_response(int status, std::string text);

// Replaces "%2F" by '/'. A '%' that no two hexadecimal digits follow is kept.
[[nodiscard]] std::string percent_decoded(std::string_view text);

// Splits "a=1&b=%2F" into decoded pairs, in their order. A repeated key is returned each time. A '+' is a
// blank.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view query);

}  // namespace hm::http
