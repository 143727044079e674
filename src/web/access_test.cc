// SPDX-License-Identifier: MIT
#include "web/access.h"

#include <gtest/gtest.h>

namespace hm::web {
namespace {

class AccessTest : public ::testing::Test {
 protected:
  AccessTest() { access.set_port(8080); }

  Access access{"5ec2e7", "127.0.0.1"};
  Caller own{"127.0.0.1:8080", "", "same-origin", "a=1; hardmeter_8080=5ec2e7; b"};
};

TEST_F(AccessTest, OurOwnPageIsAllowed) {
  EXPECT_EQ(access.judge(own), Verdict::kAllowed);
  own.host = "localhost:8080";
  own.origin = "http://localhost:8080";
  EXPECT_EQ(access.judge(own), Verdict::kAllowed);
  own.site = "none";  // typed by the user
  EXPECT_EQ(access.judge(own), Verdict::kAllowed);
}

TEST_F(AccessTest, WhoHasNotOpenedTheLinkIsNot) {
  for (const char* cookie : {"", "hardmeter_8080=", "hardmeter_8080=5ec2e8", "hardmeter_8080=5ec2e70",
                             "hardmeter_8081=5ec2e7", "xhardmeter_8080=5ec2e7", "hardmeter_8080", ";;=;"}) {
    own.cookie = cookie;
    EXPECT_EQ(access.judge(own), Verdict::kNoSecret) << cookie;
  }
}

TEST_F(AccessTest, ANameThatIsNotOursIsRefused) {
  for (const char* host : {"", "evil.example:8080", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1:80800",
                           "127.0.0.1:8080.evil.example", "localhost", "LOCALHOST:8080"}) {
    own.host = host;
    EXPECT_EQ(access.judge(own), Verdict::kWrongHost) << host;
    EXPECT_EQ(access.judge_first(own, "5ec2e7"), Verdict::kWrongHost) << host;
  }
}

TEST_F(AccessTest, PagesOfOtherSitesAreRefused) {
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:8081",
                             "http://127.0.0.1:8080.evil.example", "http://localhost:8080"}) {
    own.origin = origin;
    EXPECT_EQ(access.judge(own), Verdict::kWrongOrigin) << origin;
  }
  own.origin = "";
  for (const char* site : {"cross-site", "same-site"}) {
    own.site = site;
    EXPECT_EQ(access.judge(own), Verdict::kWrongOrigin) << site;
  }
}

TEST_F(AccessTest, TheFirstLinkTakesTheSecret) {
  own.cookie = "";
  own.site = "cross-site";  // for example, a link in a mail
  EXPECT_EQ(access.judge_first(own, "5ec2e7"), Verdict::kAllowed);
  EXPECT_EQ(access.judge_first(own, "5ec2e"), Verdict::kNoSecret);
  EXPECT_EQ(access.judge_first(own, ""), Verdict::kNoSecret);
  EXPECT_EQ(access.first_link(), "http://127.0.0.1:8080/?secret=5ec2e7");
}

TEST_F(AccessTest, TheCookieIsForNoScriptAndNoOtherSite) {
  EXPECT_EQ(access.set_cookie(), "hardmeter_8080=5ec2e7; Path=/; HttpOnly; SameSite=Strict");
}

TEST_F(AccessTest, BrowsersDoNotSayPort80) {
  access.set_port(80);
  own.cookie = "hardmeter_80=5ec2e7";
  for (const char* host : {"127.0.0.1", "localhost", "127.0.0.1:80"}) {
    own.host = host;
    EXPECT_EQ(access.judge(own), Verdict::kAllowed) << host;
  }
  own.host = "127.0.0.1:8080";
  EXPECT_EQ(access.judge(own), Verdict::kWrongHost);
}

TEST_F(AccessTest, AllAddressesHaveAnyName) {
  Access all{"5ec2e7", "0.0.0.0"};
  EXPECT_EQ(all.judge(own), Verdict::kWrongHost) << "it is not served yet";
  all.set_port(8080);
  own.host = "192.0.2.7:8080";
  EXPECT_EQ(all.judge(own), Verdict::kAllowed);
  own.cookie = "";
  EXPECT_EQ(all.judge(own), Verdict::kNoSecret);
}

TEST(Secret, IsLongAndAnotherEachTime) {
  Result<std::string> one = make_secret(), other = make_secret();
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one->size(), 64u);
  EXPECT_EQ(one->find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(*one, *other);
}

}  // namespace
}  // namespace hm::web
