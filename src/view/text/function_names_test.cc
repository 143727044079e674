// SPDX-License-Identifier: MIT
#include "view/text/function_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::text {
namespace {

using ::testing::ElementsAre;

TEST(FunctionNames, AreShortUnlessFullNamesAreRequested) {
  std::vector<std::string> functions{"Table<int>::sum(long)", "f(int)\x1b"};
  EXPECT_EQ(FunctionNames(functions, {}).of(functions[0]), "Table<…>::sum");
  EXPECT_EQ(FunctionNames(functions, {.full_names = true}).of(functions[0]), functions[0]);
  EXPECT_EQ(FunctionNames(functions, {.full_names = true}).of(functions[1]), "f(int)\\x1b");
}

TEST(KeyNames, OnlyFunctionsAreShortened) {
  std::vector<std::vector<std::string>> rows{
      {"f<x>(y)", "f<int>(int)"}, {"b", "f<char>(char)"}, {"c", "g<int>()"}};
  KeyNames names({"comm", "function"}, rows, {});
  EXPECT_THAT(names.of(rows[0]), ElementsAre("f<x>(y)", "f<…>(int)"));
  EXPECT_THAT(names.of(rows[1]), ElementsAre("b", "f<…>(char)"));
  EXPECT_THAT(names.of(rows[2]), ElementsAre("c", "g<…>"));
  EXPECT_THAT(KeyNames({"comm"}, {{"f<x>(y)"}}, {}).of({"f<x>(y)"}), ElementsAre("f<x>(y)"));
}

}  // namespace
}  // namespace hm::text
