// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hm::http {

struct Address {
  std::string host;   // an IPv4 address in numbers
  uint16_t port = 0;  // 0: any free port
};

// Parses "PORT", ":PORT" or "localhost:PORT" (this machine only, 127.0.0.1), or "A.B.C.D:PORT" (0.0.0.0 for
// all addresses). `what` names what is served, for messages: "metrics". Fails with kInvalidArgument for
// anything else, with kUnsupported for IPv6, which http::Server does not serve.
[[nodiscard]] Result<Address> parse_address(std::string_view words, std::string_view what);

}  // namespace hm::http
