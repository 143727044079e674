// SPDX-License-Identifier: MIT
#include "store/store_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(StoreAddress, IsAFolder) {
  Result<Address> address = parse_address("/var/lib/hardmeter");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->folder, "/var/lib/hardmeter");
}

TEST(StoreAddress, NamesServersAndTheirCluster) {
  Result<Address> address = parse_address("https://one.example:8443,10.0.0.2:8443/hm?cluster=fleet");
  ASSERT_TRUE(address) << address.error().message;
  EXPECT_TRUE(address->encrypted);
  EXPECT_THAT(address->servers, ElementsAre("one.example:8443", "10.0.0.2:8443"));
  EXPECT_EQ(address->database, "hm");
  EXPECT_EQ(address->cluster, "fleet");
}

TEST(StoreAddress, IsRefusedInASentence) {
  for (const char* words :
       {"", "ftp://h:1/d", "http://h/d", "http://h:1", "http://h:1/", "http:///d", "http://h:x/d",
        "http://h:1/d;x", "http://h:1/d?user=x", "http://h:1/d?cluster=a'b"})
    EXPECT_FALSE(parse_address(words)) << words;
  Result<Address> with_password = parse_address("http://user:secret@h:1/d");
  ASSERT_FALSE(with_password);
  EXPECT_THAT(with_password.error().message, HasSubstr("put them into a file"));
  EXPECT_THAT(with_password.error().message, ::testing::Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace hm::store
