// SPDX-License-Identifier: MIT
#include "http/http_address.h"

#include <gtest/gtest.h>

namespace hm::http {
namespace {

std::string read(std::string_view words) {
  Result<Address> address = parse_address(words, "metrics");
  if (address) return address->host + " " + std::to_string(address->port);
  return address.error().code == ErrorCode::kUnsupported ? "unsupported" : "wrong";
}

TEST(Address, IsLoopbackUnlessTold) {
  EXPECT_EQ(read("9400"), "127.0.0.1 9400");
  EXPECT_EQ(read(":9400"), "127.0.0.1 9400");
  EXPECT_EQ(read("localhost:9400"), "127.0.0.1 9400");
  EXPECT_EQ(read("0"), "127.0.0.1 0");
}

TEST(Address, IsWhatIsTold) {
  EXPECT_EQ(read("0.0.0.0:9400"), "0.0.0.0 9400");
  EXPECT_EQ(read("192.0.2.1:65535"), "192.0.2.1 65535");
}

// The HTTP library's own options would accept these as several addresses, or as another protocol.
TEST(Address, IsOneAddressAndAPort) {
  for (const char* words : {"", ":", "x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                            "127.0.0.1:80s", "127.0.0.1:80,81", "80,81", "+80", "80 ", "127.1:80",
                            "example.org:80", "*:80", "127.0.0.1,1.2.3.4:80"})
    EXPECT_EQ(read(words), "wrong") << words;
  EXPECT_EQ(read(std::string_view("127.0.0.1\0.:80", 14)), "wrong") << "a NUL ends no address";
}

TEST(Address, OfIpv6IsUnsupported) {
  for (const char* words : {"[::1]:9400", "::1:9400", "[::]:9400"})
    EXPECT_EQ(read(words), "unsupported") << words;
}

}  // namespace
}  // namespace hm::http
