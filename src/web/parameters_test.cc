// SPDX-License-Identifier: MIT
#include "web/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::web {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Parameters, AreReadByKind) {
  Parameters::Given given{{"event", "a,b,,"}, {"limit", "7"}, {"share", "0.5"}, {"pid", "12"}, {"empty", ""}};
  Parameters parameters(given);
  EXPECT_THAT(parameters.list("event"), ElementsAre("a", "b"));
  EXPECT_EQ(parameters.number("limit", 1), 7u);
  EXPECT_EQ(parameters.percent("share", 1), 0.5);
  EXPECT_EQ(parameters.id("pid"), 12u);
  EXPECT_EQ(parameters.text("empty"), std::nullopt);
  EXPECT_TRUE(parameters.check().ok());
}

TEST(Parameters, HaveOtherwiseWhatIsUsual) {
  Parameters::Given none;
  Parameters parameters(none);
  EXPECT_THAT(parameters.list("event"), IsEmpty());
  EXPECT_EQ(parameters.number("limit", 9), 9u);
  EXPECT_EQ(parameters.text("sort", "function"), "function");
  EXPECT_EQ(parameters.id("pid"), std::nullopt);
  EXPECT_FALSE(parameters.flag("callers"));
  EXPECT_TRUE(parameters.check().ok());
}

TEST(Parameters, WrongNumbersAreErrors) {
  for (const char* word : {"x", "-1", "1.5", "11", "1e3", " 1", "18446744073709551616"}) {
    Parameters::Given given{{"limit", word}};
    Parameters parameters(given);
    EXPECT_EQ(parameters.number("limit", 3, 10), 3u) << word;
    EXPECT_FALSE(parameters.check().ok()) << word;
  }
  for (const char* word : {"x", "-1", "101", "nan", "inf"}) {
    Parameters::Given given{{"share", word}};
    Parameters parameters(given);
    EXPECT_EQ(parameters.percent("share", 3), 3) << word;
    EXPECT_FALSE(parameters.check().ok()) << word;
  }
}

TEST(Parameters, WhatNobodyAsksForIsAnError) {
  Parameters::Given given{{"limt", "7"}};
  Parameters parameters(given);
  EXPECT_EQ(parameters.number("limit", 1), 1u);
  EXPECT_FALSE(parameters.check().ok());
}

}  // namespace
}  // namespace hm::web
