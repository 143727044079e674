// SPDX-License-Identifier: MIT
// The input is an address. A parsed address parses again from its printed form.
#include "http/http_address.h"

#include <string>

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Result<http::Address> first = http::parse_address(fuzz::text(data, size), "metrics");
  if (!first) {
    fuzz::require(!first.error().message.empty());
    return 0;
  }
  fuzz::require(first->host.find_first_not_of("0123456789.") == std::string::npos);
  Result<http::Address> again =
      http::parse_address(first->host + ":" + std::to_string(first->port), "metrics");
  fuzz::require(again.ok() && again->host == first->host && again->port == first->port);
  return 0;
}
