// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/collection_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace hm::soft {
namespace {

using ::testing::HasSubstr;

TEST(CollectionLimits, BecomeTheSessions) {
  auto session = std::make_unique<Session>();
  ASSERT_TRUE(limit(*session, {{"walk", "Tree::visit"}, 20}).ok());
  EXPECT_EQ(session->held, 1u);
  CollectionUse use = use_of(*session);
  EXPECT_FALSE(use.began);
  ASSERT_EQ(use.functions.size(), 2u);
  EXPECT_EQ(use.functions[1].name, "Tree::visit");
  session->held = 0;
  session->functions[1].found = 1;
  session->functions[1].entered = 7;
  use = use_of(*session);
  EXPECT_TRUE(use.began);
  EXPECT_FALSE(use.functions[0].found);
  EXPECT_TRUE(use.functions[1].found);
  EXPECT_EQ(use.functions[1].entered, 7u);
}

TEST(CollectionLimits, NoneCollectEverything) {
  auto session = std::make_unique<Session>();
  EXPECT_FALSE(CollectionLimits{}.any());
  ASSERT_TRUE(limit(*session, {}).ok());
  EXPECT_EQ(session->function_count, 0u);
  EXPECT_TRUE(use_of(*session).began);
}

TEST(CollectionLimits, WhatDoesNotFitIsRefused) {
  auto session = std::make_unique<Session>();
  Status many = limit(*session, {std::vector<std::string>(kMaxFunctions + 1, "f"), 0});
  ASSERT_FALSE(many.ok());
  EXPECT_THAT(many.error().message, HasSubstr("17 functions"));
  EXPECT_FALSE(limit(*session, {{""}, 0}).ok());
  EXPECT_FALSE(limit(*session, {{std::string(kMaxFunctionName, 'f')}, 0}).ok());
  EXPECT_TRUE(limit(*session, {{std::string(kMaxFunctionName - 1, 'f')}, 0}).ok());
}

TEST(CollectionLimits, AnOverwrittenSessionIsReadAsFarAsItGoes) {
  auto session = std::make_unique<Session>();
  session->function_count = ~0u;
  for (CollectedFunction& each : session->functions)
    std::fill(std::begin(each.name), std::end(each.name), 'f');
  CollectionUse use = use_of(*session);
  ASSERT_EQ(use.functions.size(), kMaxFunctions);
  EXPECT_EQ(use.functions[0].name.size(), kMaxFunctionName);
}

}  // namespace
}  // namespace hm::soft
