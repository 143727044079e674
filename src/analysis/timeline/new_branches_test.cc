// SPDX-License-Identifier: MIT
#include "analysis/timeline/new_branches.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace hm::timeline {
namespace {

// Newest first; a letter is a branch.
std::vector<profile::Branch> stack(std::string_view letters) {
  std::vector<profile::Branch> branches;
  for (char letter : letters) {
    profile::Branch branch;
    if (letter != '.') branch.entry = {.from = static_cast<uint64_t>(letter), .to = 1000};
    branches.push_back(branch);
  }
  return branches;
}

size_t count_new(std::string_view now, std::string_view before) {
  NewBranches found = find_new(stack(now), stack(before));
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
  EXPECT_EQ(find_new(stack(longer), stack(std::string(60000, 'a'))).count, 256u);
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
  std::vector<profile::Branch> before = stack("aaaa"), now = stack("aaaa");
  for (size_t i = 0; i < 4; ++i) before[i].entry.cycles = static_cast<uint16_t>(10 + i);
  now[0].entry.cycles = 7;
  for (size_t i = 1; i < 4; ++i) now[i].entry.cycles = before[i - 1].entry.cycles;
  NewBranches found = find_new(now, before);
  EXPECT_EQ(found.count, 1u);
  EXPECT_FALSE(found.ambiguous);
}

TEST(NewBranches, TheHardwaresIndexDecidesAmongSeveral) {
  // By content alone, one new: x a x | a x a. By the index three.
  EXPECT_EQ(find_new(stack("xaxz"), stack("axzq")).count, 1u);
  EXPECT_EQ(find_new(stack("axax"), stack("axbc"), HardwareIndices{0, 2}).count, 2u);
  EXPECT_EQ(find_new(stack("axbc"), stack("axbc"), HardwareIndices{3, 3}).count, 0u);
  EXPECT_EQ(find_new(stack("axbc"), stack("axbc"), HardwareIndices{3, 0}).count, 4u)
      << "one further, and nothing of it old: all were overwritten";
  EXPECT_EQ(find_new(stack("dcba"), stack("azyx"), HardwareIndices{14, 1}).count, 3u)
      << "of four entries, 1 is 14 + 3";
  EXPECT_TRUE(find_new(stack("aaaa"), stack("aaaa"), HardwareIndices{0, 1}).ambiguous);
}

// A program that branches as it likes, sampled after some branches: where no loop is in the way, as many are
// new as ran, at most a whole stack.
TEST(NewBranches, AgreeWithWhatRan) {
  constexpr size_t kDepth = 16;
  std::mt19937 random(5);
  std::vector<profile::Branch> ran;  // newest first, as a stack
  std::vector<profile::Branch> before;
  size_t certain = 0, right = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    size_t further = random() % 20;
    for (size_t i = 0; i < further; ++i) {
      profile::Branch branch;
      branch.entry = {.from = 1 + random() % 12, .to = 7};
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
}  // namespace hm::timeline
