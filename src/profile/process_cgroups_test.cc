// SPDX-License-Identifier: MIT
#include "profile/process_cgroups.h"

#include <gtest/gtest.h>

#include "record/isolation.h"

namespace hm::profile {
namespace {

const std::string kId(64, 'b');

record::Features features_of(const record::IsolatedProcesses& processes) {
  record::Features features;
  features.hardmeter = record::with_isolation("{}", processes);
  return features;
}

TEST(ProcessCgroups, HaveTheNameOfTheContainerElseThatOfTheGroup) {
  ProcessCgroups groups(features_of({{{"/docker/" + kId, "shop/web"}, {1}},
                                     {{"/docker/" + kId, ""}, {2}},
                                     {{"/system.slice/ssh.service", ""}, {3, 4}},
                                     {{"", ""}, {5}}}));
  EXPECT_EQ(groups.of(1), "shop/web");
  EXPECT_EQ(groups.of(2), "docker bbbbbbbbbbbb");
  EXPECT_EQ(groups.of(4), "ssh.service");
  EXPECT_EQ(groups.of(5), "[unknown]");
  EXPECT_EQ(groups.of(6), "[unknown]");
}

TEST(ProcessCgroups, AreWantedByNamePathOrTheIdOfTheContainer) {
  ProcessCgroups groups(features_of({{{"/docker/" + kId, "shop/web"}, {1}}}));
  for (const std::string& wanted :
       {std::string("shop/web"), "/docker/" + kId, std::string("/docker"), kId, std::string("bbbbbbbbbbbb")})
    EXPECT_TRUE(groups.is_in(wanted, 1)) << wanted;
  for (const char* wanted : {"web", "bb", "", "/dock", "docker", "cccccccccccc"})
    EXPECT_FALSE(groups.is_in(wanted, 1)) << wanted;
  EXPECT_FALSE(groups.is_in("shop/web", 2));
}

TEST(ProcessCgroups, AreEmptyInOtherRecordings) { EXPECT_TRUE(ProcessCgroups({}).empty()); }

}  // namespace
}  // namespace hm::profile
