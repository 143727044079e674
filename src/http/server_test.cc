// SPDX-License-Identifier: MIT
#include "http/server.h"

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

TEST(Request, HeadersHaveNamesWithoutCase) {
  Request request{"GET", "/", "", {{"Host", "x"}, {"cOOKIE", "y"}}};
  EXPECT_EQ(request.header("host"), "x");
  EXPECT_EQ(request.header("Cookie"), "y");
  EXPECT_EQ(request.header("Origin"), "");
}

}  // namespace
}  // namespace hm::http
