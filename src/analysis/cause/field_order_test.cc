// SPDX-License-Identifier: MIT
#include "analysis/cause/field_order.h"

#include <gtest/gtest.h>

namespace hm::cause {
namespace {

// struct order { id, price, name, amount }, of 64 bytes; the samples' fields are rows 1 to 4.
profile::Profile example(const std::vector<uint32_t>& samples) {
  profile::Profile profile;
  profile.types = {{}, {1, {"struct order", 64, false, {}}}};
  profile.types[1].layout.members = {
      {"id", "long", 0, 8}, {"price", "int", 8, 4}, {"name", "char[40]", 16, 40}, {"", "union", 56, 8}};
  profile.fields = {{},
                    {1, 0, 8, "id", ".id", "long"},
                    {1, 8, 4, "price", ".price", "int"},
                    {1, 20, 1, "name", ".name", "char"},
                    {1, 56, 8, "", "", "union"}};
  profile.samples.field = samples;
  return profile;
}

std::vector<std::vector<std::string>> order(const std::optional<FieldOrder>& found) {
  if (!found) return {};
  return {found->together, found->others, found->not_met};
}
using Parts = std::vector<std::vector<std::string>>;

TEST(FieldOrder, WhatTheLoopUsesComesFirst) {
  profile::Profile profile = example({2, 2, 2, 4, 1, 0});
  std::vector<symbol::NearAccess> near{{0, 4}, {48, 8}};
  std::optional<FieldOrder> found = MemberSamples(profile).order_for(2, near);
  EXPECT_EQ(order(found), (Parts{{"price", "(union)"}, {"id"}, {"name"}}));
  EXPECT_EQ(found->type, "struct order");
  EXPECT_EQ(found->bytes, 64u);
  EXPECT_EQ(found->members,
            (std::vector<LaidOut>{{"id", 0, 8}, {"price", 8, 4}, {"name", 16, 40}, {"(union)", 56, 8}}));
}

// A loop that processes several elements per iteration accesses the second one at an offset beyond the first.
TEST(FieldOrder, ElementsAreAllAlike) {
  profile::Profile profile = example({2, 3});
  std::vector<symbol::NearAccess> near{{0, 4}, {64, 4}, {-64, 4}};
  EXPECT_EQ(order(MemberSamples(profile).order_for(2, near)),
            (Parts{{"price"}, {"name"}, {"id", "(union)"}}));
}

TEST(FieldOrder, OneMemberHasNoOrder) {
  profile::Profile profile = example({2});
  profile.types[1].layout.members.resize(1);
  EXPECT_EQ(MemberSamples(profile).order_for(2, {}), std::nullopt);
}

}  // namespace
}  // namespace hm::cause
