// SPDX-License-Identifier: MIT
#include "http/http_address.h"

#include <arpa/inet.h>

#include <charconv>
#include <optional>

namespace hm::http {
namespace {

constexpr std::string_view kLoopback = "127.0.0.1";

std::optional<uint16_t> port_in(std::string_view digits) {
  uint16_t port = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  bool is_whole = error == std::errc() && end == digits.data() + digits.size();
  return is_whole ? std::optional(port) : std::nullopt;
}

bool is_ipv4(const std::string& host) {
  in_addr address{};
  bool is_text = host.find('\0') == std::string::npos;  // inet_pton ignores everything after a NUL
  return is_text && ::inet_pton(AF_INET, host.c_str(), &address) == 1;
}

}  // namespace

Result<Address> parse_address(std::string_view words, std::string_view what) {
  size_t colon = words.rfind(':');
  bool has_colon = colon != std::string_view::npos;
  std::string_view before = has_colon ? words.substr(0, colon) : std::string_view();
  if (before.find_first_of("[]:") != std::string_view::npos)
    return make_error(
        ErrorCode::kUnsupported,
        "{} cannot be served at '{}': only IPv4 addresses are supported; write 127.0.0.1:PORT, or 0.0.0.0:PORT for all addresses of this machine",
        what, words);
  std::string host(before.empty() || before == "localhost" ? kLoopback : before);
  std::optional<uint16_t> port = port_in(has_colon ? words.substr(colon + 1) : words);
  if (!port || !is_ipv4(host))
    return make_error(
        ErrorCode::kInvalidArgument,
        "'{}' is not an address for {}: write PORT, or ADDRESS:PORT with a numeric IPv4 address, such as 127.0.0.1:9400",
        words, what);
  return Address{std::move(host), *port};
}

}  // namespace hm::http
