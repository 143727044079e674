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

TEST(FieldOrder, WhatTheLoopUsesComesFirst) {
  profile::Profile profile = example({2, 2, 2, 4, 1, 0});
  std::vector<symbol::NearAccess> near{{0, 4}, {48, 8}};
  EXPECT_EQ(MemberSamples(profile).order_for(2, near), (FieldOrder{{"price", "(union)"}, {"id"}, {"name"}}));
}

// A loop that does several elements at once names the second by an offset beyond the first's end.
TEST(FieldOrder, ElementsAreAllAlike) {
  profile::Profile profile = example({2, 3});
  std::vector<symbol::NearAccess> near{{0, 4}, {64, 4}, {-64, 4}};
  EXPECT_EQ(MemberSamples(profile).order_for(2, near), (FieldOrder{{"price"}, {"name"}, {"id", "(union)"}}));
}

TEST(FieldOrder, OneMemberHasNoOrder) {
  profile::Profile profile = example({2});
  profile.types[1].layout.members.resize(1);
  EXPECT_EQ(MemberSamples(profile).order_for(2, {}), std::nullopt);
}

}  // namespace
}  // namespace hm::cause
