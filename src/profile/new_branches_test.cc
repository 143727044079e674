// SPDX-License-Identifier: MIT
#include "profile/new_branches.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace hm::profile {
namespace {

// Returns a stack, newest entry first, with one branch for each letter.
std::vector<record::RawBranch> stack(std::string_view letters) {
  std::vector<record::RawBranch> branches;
  for (char letter : letters) {
    record::RawBranch branch;
    if (letter != '.') branch = {.from = static_cast<uint64_t>(letter), .to = 1000};
    branches.push_back(branch);
  }
  return branches;
}

size_t count_new(std::string_view now, std::string_view before) {
  const std::vector<record::RawBranch> newer = stack(now), older = stack(before);
  NewBranches found = find_new(without_empty(newer), without_empty(older));
  EXPECT_FALSE(found.ambiguous) << now << " after " << before;
  return found.count;
}

TEST(NewBranches, AreThoseThatTheLastSampleHadNot) {
  EXPECT_EQ(count_new("cbaz", "azyx"), 2u) << "both";
  EXPECT_EQ(count_new("azyx", "azyx"), 0u) << "nothing ran";
  EXPECT_EQ(count_new("dcba", "azyx"), 3u);
  EXPECT_EQ(count_new("edcb", "azyx"), 4u);
  EXPECT_EQ(count_new("cba", ""), 3u) << "the first sample";
  EXPECT_EQ(count_new("", "cba"), 0u);
  EXPECT_EQ(count_new("", ""), 0u);
}

TEST(NewBranches, EmptySlotsAreNone) {
  EXPECT_EQ(count_new("cb..", "b..."), 1u);
  EXPECT_EQ(count_new("c...", "...."), 1u);
  EXPECT_EQ(count_new("cbax", "b..."), 4u) << "what is older than b was not there then";
}

TEST(NewBranches, OfAStackThatNoHardwareHasAreTheNewest) {
  std::string longer(60000, 'a');
  longer.front() = 'b';
  EXPECT_EQ(without_empty(stack(longer)).size(), 256u);
}

TEST(NewBranches, OfALoopCannotBeTold) {
  for (auto [now, before] :
       {std::pair{"aaaa", "aaaa"}, {"baaa", "aaaa"}, {"abab", "abab"}, {"caba", "baba"}}) {
    NewBranches found = find_new(stack(now), stack(before));
    if (std::string_view(now) == "caba") {
      EXPECT_EQ(found.count, 2u) << "only one round is old: it proves what it is";
      continue;
    }
    EXPECT_TRUE(found.ambiguous) << now;
    EXPECT_EQ(found.count, 4u) << now;
  }
}

TEST(NewBranches, WhatRunsOftenProvesNothing) {
  EXPECT_EQ(count_new("abcabx", "xdefgh"), 5u) << "x ran once";
  NewBranches found = find_new(stack("xbcabx"), stack("xdefgh"));
  EXPECT_EQ(found.count, 6u);
  EXPECT_TRUE(found.ambiguous);
}

TEST(NewBranches, CyclesTellRoundsApart) {
  std::vector<record::RawBranch> before = stack("aaaa"), now = stack("aaaa");
  for (size_t i = 0; i < 4; ++i) before[i].flags = 10 + i;
  now[0].flags = 7;
  for (size_t i = 1; i < 4; ++i) now[i].flags = before[i - 1].flags;
  NewBranches found = find_new(now, before);
  EXPECT_EQ(found.count, 1u);
  EXPECT_FALSE(found.ambiguous);
}

TEST(NewBranches, TheHardwaresIndexDecidesAmongSeveral) {
  // Content alone gives one new entry: x a x | a x a. The hardware index gives three.
  EXPECT_EQ(find_new(stack("xaxz"), stack("axzq")).count, 1u);
  EXPECT_EQ(find_new(stack("axax"), stack("axbc"), HardwareIndices{0, 2}).count, 2u);
  EXPECT_EQ(find_new(stack("axbc"), stack("axbc"), HardwareIndices{3, 3}).count, 0u);
  EXPECT_EQ(find_new(stack("axbc"), stack("axbc"), HardwareIndices{3, 0}).count, 4u)
      << "one further, and nothing of it old: all were overwritten";
  EXPECT_EQ(find_new(stack("dcba"), stack("azyx"), HardwareIndices{14, 1}).count, 3u)
      << "of four entries, 1 is 14 + 3";
  EXPECT_TRUE(find_new(stack("aaaa"), stack("aaaa"), HardwareIndices{0, 1}).ambiguous);
}

// Random branches of a program, sampled at random intervals. Unless a loop is in the way, the number of new
// entries is the number of branches that ran, at most a whole stack.
TEST(NewBranches, AgreeWithWhatRan) {
  constexpr size_t kDepth = 16;
  std::mt19937 random(5);
  std::vector<record::RawBranch> ran;  // newest first, like a stack
  std::vector<record::RawBranch> before;
  size_t certain = 0, right = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    size_t further = random() % 20;
    for (size_t i = 0; i < further; ++i) {
      record::RawBranch branch;
      branch = {.from = 1 + random() % 12, .to = 7};
      ran.insert(ran.begin(), branch);
    }
    ran.resize(std::min(ran.size(), kDepth));
    NewBranches found = find_new(ran, before);
    if (!found.ambiguous) {
      ++certain;
      right += found.count == std::min(further, ran.size()) ? 1 : 0;
    }
    before = ran;
  }
  EXPECT_GT(certain, 1400u);
  EXPECT_GT(right, certain * 97 / 100) << "where one old entry is left it may be another that looks alike";
}

}  // namespace
}  // namespace hm::profile
