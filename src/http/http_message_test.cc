// SPDX-License-Identifier: MIT
#include "http/http_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(QueryPairs, AreDecoded) {
  EXPECT_THAT(query_pairs("a=1&b=x%20y%2Fz&c=p+q"),
              ElementsAre(Pair("a", "1"), Pair("b", "x y/z"), Pair("c", "p q")));
  EXPECT_THAT(query_pairs("function=std%3A%3Avector%3Cint%3E"),
              ElementsAre(Pair("function", "std::vector<int>")));
}

TEST(QueryPairs, OddOnesAreKeptAsTheyAre) {
  EXPECT_THAT(query_pairs(""), IsEmpty());
  EXPECT_THAT(query_pairs("&&"), IsEmpty());
  EXPECT_THAT(query_pairs("a&=b&c=d=e"), ElementsAre(Pair("a", ""), Pair("", "b"), Pair("c", "d=e")));
  EXPECT_THAT(query_pairs("a=%zz"), ElementsAre(Pair("a", "%zz")));
}

TEST(QueryPairs, RepeatedKeysAreKeptInTheirOrder) {
  EXPECT_THAT(query_pairs("a=2&b=3&a=1&a"),
              ElementsAre(Pair("a", "2"), Pair("b", "3"), Pair("a", "1"), Pair("a", "")));
}

TEST(QueryPairs, ValuesMayContainAnyByte) {
  EXPECT_THAT(query_pairs("a=x%00y&b=%FF"),
              ElementsAre(Pair("a", std::string("x\0y", 3)), Pair("b", "\xff")));
}

TEST(PercentDecoded, ReplacesTwoDigits) {
  EXPECT_EQ(percent_decoded("%2f%2F%41%c3%9f"), "//A\xc3\x9f");
  EXPECT_EQ(percent_decoded("a%00b"), std::string("a\0b", 3));
  EXPECT_EQ(percent_decoded("%252e"), "%2e") << "it decodes once";
  EXPECT_EQ(percent_decoded("+"), "+") << "only forms encode a blank so";
}

TEST(PercentDecoded, KeepsWhatIsNoEncoding) {
  for (const char* text : {"", "%", "%4", "%%", "%4g", "%-1", "%+1", "% 1", "%0x", "100%"})
    EXPECT_EQ(percent_decoded(text), text);
}

TEST(Request, HeadersHaveNamesWithoutCase) {
  Request request{"GET", "/", "", {{"Host", "x"}, {"cOOKIE", "y"}}};
  EXPECT_EQ(request.header("host"), "x");
  EXPECT_EQ(request.header("Cookie"), "y");
  EXPECT_EQ(request.header("Origin"), "");
}

}  // namespace
}  // namespace hm::http
