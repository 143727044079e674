// SPDX-License-Identifier: MIT
#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace hm {
namespace {

TEST(EditDistance, CountsInsertedRemovedAndReplacedLetters) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(EditDistance, CountsExchangedNeighboursOnce) {
  EXPECT_EQ(edit_distance("hlep", "help"), 1u);
  EXPECT_EQ(edit_distance("abcd", "badc"), 2u);
  EXPECT_EQ(edit_distance("ab", "cba"), 2u);
}

TEST(NearestWord, IsTheFirstOfTheNearest) {
  NearestWord nearest("miss", 3);
  EXPECT_EQ(nearest.found(), "");
  for (const char* candidate : {"missing", "mist", "kiss", "misses"}) nearest.consider(candidate);
  EXPECT_EQ(nearest.found(), "mist");
}

TEST(NearestWord, OfImmenseWordsIsFoundAtOnce) {
  NearestWord nearest(std::string(1'000'000, 'a'), 4);
  nearest.consider(std::string(999'996, 'a'));
  nearest.consider(std::string(1'000'004, 'a'));
  EXPECT_EQ(nearest.found(), "");
}

}  // namespace
}  // namespace hm
