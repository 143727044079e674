// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hm::http {

struct Address {
  std::string host;   // an IPv4 address in numbers
  uint16_t port = 0;  // 0: one that is free
};

// "PORT" and ":PORT" are of this machine alone (127.0.0.1), as is "localhost:PORT"; "A.B.C.D:PORT" is of that
// address, 0.0.0.0 of all. `what` is to be served there, "metrics". kInvalidArgument for anything else;
// kUnsupported for IPv6, which http::Server does not serve.
[[nodiscard]] Result<Address> parse_address(std::string_view words, std::string_view what);

}  // namespace hm::http
