// SPDX-License-Identifier: MIT
#include "symbol/short_name.h"

#include <gtest/gtest.h>

namespace hm::symbol {
namespace {

constexpr const char* kAdd = "address::Book::add(int, int)";
constexpr const char* kGet = "long shop::Table<int, 3>::get(long, int&) const";

TEST(ShortName, IsTheEndOfAName) {
  for (const char* wanted : {"add", "Book::add", "address::Book::add", "Book::add(int,int)", "add(int, int)"})
    EXPECT_TRUE(is_short_name(wanted, kAdd)) << wanted;
  for (const char* wanted :
       {"", "dd", "Book", "address", "book::add", "add(int)", "add(long, int)", "k::add"})
    EXPECT_FALSE(is_short_name(wanted, kAdd)) << wanted;
  EXPECT_FALSE(is_short_name("add", "walk(address::Book&)"));
  EXPECT_FALSE(is_short_name("hop", "four(shop::Table<int>&)"));
}

TEST(ShortName, MayLackTemplateArguments) {
  for (const char* wanted : {"get", "Table::get", "shop::Table::get", "shop::Table<int,3>::get",
                             "Table<int, 3>::get", "Table<int, 3>::get(long, int&)"})
    EXPECT_TRUE(is_short_name(wanted, kGet)) << wanted;
  for (const char* wanted : {"Table<int, 4>::get", "Table", "Table<int, 3>", "able<int, 3>::get"})
    EXPECT_FALSE(is_short_name(wanted, kGet)) << wanted;
  EXPECT_TRUE(is_short_name("mix", "void mix<std::vector<int>, double>(std::vector<int>&, double)"));
}

TEST(ShortName, OfOtherLanguages) {
  EXPECT_TRUE(is_short_name("bump", "main.(*Table).bump"));
  EXPECT_TRUE(is_short_name("hotLoop", "main.hotLoop"));
  EXPECT_TRUE(is_short_name("all", "r::shop::Table<T>::all"));
  EXPECT_TRUE(is_short_name("Hot.hotLoop", "long Hot.hotLoop(long[])"));
  EXPECT_TRUE(is_short_name("walk", "walk.constprop.0"));
}

TEST(ShortName, OfOperatorsAndUnnamedSpaces) {
  EXPECT_TRUE(is_short_name("Less::operator()", "shop::Less::operator()(int, int) const"));
  EXPECT_TRUE(is_short_name("hip", "(anonymous namespace)::Table::hip(long)"));
  EXPECT_FALSE(is_short_name("operator", "shop::Less::operator()(int, int) const"));
}

}  // namespace
}  // namespace hm::symbol
